import type { Multiplexer } from '../multiplexer/multiplexer.ts';

/** A client that cannot be asked must not keep its own call waiting for ever. */
const mostMs = 5_000;

/**
 * Servers ask for roots as soon as they are told that the handshake is done, and until they have them go by folders of
 * their own, which may be wider than their client's. So their first call waits for that: behind the answer to a ping
 * nothing is to come any more that the notification brought about, and behind a second one they have had the roots.
 * Never rejects.
 */
export async function answerRoots(multiplexer: Pick<Multiplexer, 'ask' | 'rootsAnswered'>): Promise<void> {
  const ping = () => multiplexer.ask('ping', '{}', mostMs).catch(() => {});
  await ping();
  if (await multiplexer.rootsAnswered(mostMs)) await ping();
}
