/** Sends a case to one of the two ports, so often as it says, and judges answers and after-effects. */
import { type RawAnswer, sendRaw } from '../support/raw-http.ts';
import type { BadInput, CaseRequest, Placeholders } from './case.ts';
import { requestBytes } from './request-bytes.ts';
import { combine, judgeAnswer, judgeThat, type Verdict } from './verdict.ts';
import type { World } from './world.ts';

export async function runRequestCase(world: World, input: BadInput): Promise<Verdict> {
  const placeholders = await world.placeholders(JSON.stringify(input));
  const groupBefore = world.groupText();
  const changesBefore = world.engineChanges();
  const answers = await sendTimes(world, input, placeholders);
  const verdicts = answers.map((answer) => judgeAnswer(input.expect, answer, world.machinePaths));
  const groupAfter = world.groupText();
  await world.restoreGroup();
  return combine([
    ...verdicts,
    ...judgeSuccesses(input, answers),
    judgeThat(!input.expect.groupFileUnchanged || groupBefore === groupAfter, 'the group file was changed'),
    judgeEngineChanges(input, (world.engineChanges() ?? 0) - (changesBefore ?? 0)),
    await judgeAfterwards(world, input),
  ]);
}

/** Sends one request of a case (or of its `then`) and returns what came back. */
export function sendCase(
  world: World,
  request: CaseRequest,
  placeholders: Placeholders,
  {
    holdSeconds,
    closeAfterMs,
    maxMs = 0,
  }: Pick<BadInput, 'holdSeconds' | 'closeAfterMs'> & { readonly maxMs?: number | undefined } = {},
): Promise<RawAnswer> {
  const { gatewayUrl, managerUrl } = world.service;
  const port = Number(new URL(request.target === 'manager' ? managerUrl : gatewayUrl).port);
  return sendRaw(port, requestBytes(request, port, placeholders), {
    limitMs: Math.max((holdSeconds ?? 20) * 1000, maxMs),
    untilClosed: holdSeconds !== undefined,
    closeAfterMs,
  });
}

async function sendTimes(world: World, input: BadInput, placeholders: Placeholders): Promise<RawAnswer[]> {
  let left = input.times ?? 1;
  const answers: RawAnswer[] = [];
  const lane = async () => {
    for (; left > 0; ) {
      left -= 1;
      answers.push(await sendCase(world, input, placeholders, { ...input, maxMs: input.expect.maxMs }));
    }
  };
  await Promise.all(Array.from({ length: input.concurrency ?? 1 }, lane));
  return answers;
}

function judgeEngineChanges({ expect }: BadInput, changes: number): Verdict {
  const isWanted = expect.dockerCalls === undefined || expect.dockerCalls === changes;
  return judgeThat(isWanted, `${changes} requests reached the engine that change something`);
}

function judgeSuccesses({ expect }: BadInput, answers: readonly RawAnswer[]): Verdict[] {
  if (expect.successes === undefined) return [];
  const count = answers.filter(({ status = 0 }) => status >= 200 && status < 300).length;
  return [judgeThat(count === expect.successes, `${count} succeeded instead of ${expect.successes}`)];
}

/** What must hold after any case: see `noResidue`, `noPollution`, `othersKeepServing`, `logMustNotContainRaw`. */
export async function judgeAfterwards(world: World, { expect, body, path }: BadInput): Promise<Verdict> {
  const log = world.service.output();
  const verdicts = (expect.logMustNotContainRaw ?? []).map((part) =>
    judgeThat(!log.includes(part), `the log holds ${JSON.stringify(part)} as it is`),
  );
  if (expect.noResidue) {
    const name = (JSON.parse(String(body)) as { name: string }).name;
    const servers = await getText(world, '/api/servers');
    verdicts.push(judgeThat(!servers.includes(`"${name}"`), `the server ${name} is left behind`));
  }
  if (expect.noPollution) {
    const shown = `${await getText(world, '/api/current')}${await getText(world, '/api/groups')}`;
    const planted = plantedNames(`${typeof body === 'string' ? body : ''}${path}`);
    const seen = planted.filter((name) => shown.includes(`"${name}":`));
    verdicts.push(judgeThat(seen.length === 0, `later answers show ${seen.join(', ')}`));
  }
  if (expect.othersKeepServing) {
    verdicts.push(judgeThat(await world.othersAreServed(), 'another group stopped serving'));
  }
  return combine(verdicts);
}

/** Members that the case tries to put on every object: in the body's `__proto__`, or `__proto__[x]` in the query. */
function plantedNames(text: string): string[] {
  const inBody = text.matchAll(/"__proto__":\{"(\w+)"/g);
  const inQuery = text.matchAll(/(?:__proto__|\[prototype\])\[(\w+)\]/g);
  return [...inBody, ...inQuery].map(([, name = '']) => name);
}

async function getText(world: World, path: string): Promise<string> {
  return (await fetch(`${world.service.managerUrl}${path}`)).text();
}
