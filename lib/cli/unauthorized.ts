import { CliFailure } from './cli-failure.ts';

/** A 401 as who sits here can mend it: a token that was sent is the wrong one. */
export function unauthorized(
  who: 'The service' | 'The gateway',
  setting: 'ADMIN_TOKEN' | 'GATEWAY_TOKEN',
  wasSent: boolean,
): CliFailure {
  const place = 'in the environment or in `.env`';
  const sentence = wasSent
    ? `${who} does not accept this ${setting}: it is not the one it was started with. Set that one ${place}.`
    : `${who} wants its ${setting === 'ADMIN_TOKEN' ? 'admin token' : 'token'}: set ${setting} ${place}.`;
  return new CliFailure(sentence, 1, {
    code: 'unauthorized',
    details: { reason: wasSent ? 'wrong' : 'missing' },
  });
}
