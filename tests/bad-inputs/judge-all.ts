/** Runs all cases, each against the service it needs, and looks after each whether the service still lives. */
import type { BadInput } from './case.ts';
import { startCaseEngine } from './engine.ts';
import { runCommandCase } from './run-command-case.ts';
import { runFileCase } from './run-file-case.ts';
import { runRequestCase } from './run-request-case.ts';
import { type StallWatch, watchStalls } from './stall-watch.ts';
import { combine, judgeThat, type Verdict } from './verdict.ts';
import { createWorld, type World } from './world.ts';

export interface CaseResult {
  readonly input: BadInput;
  readonly verdict: Verdict;
  /** How long the event loop of the service stood still, at worst, in ms; undefined when not watched. */
  readonly stallMs?: number;
  /** Why it was not run here. */
  readonly notRun?: string;
}

const stallLimitMs = 100;

export async function judgeAll(cases: readonly BadInput[]): Promise<CaseResult[]> {
  const engine = await startCaseEngine();
  const results: CaseResult[] = [];
  const rest = cases.filter((input) => !needsEngine(input));
  const special = rest.filter((input) => needsOwnService(input));
  const world = await createWorld({ engine });
  try {
    // Cases that wait for a time limit run beside the others, which they do not disturb.
    const holding = rest.filter(({ holdSeconds }) => holdSeconds !== undefined);
    const held = Promise.all(holding.map((input) => judgeOne(world, input)));
    results.push(...(await judgeWatched(world, rest.filter(isWatched))));
    for (const input of rest.filter(({ target }) => target === 'cli'))
      results.push(await judgeOne(world, input));
    results.push(...(await held));
  } finally {
    await world.remove();
  }
  for (const input of special) results.push(await judgeInOwnService(input));
  for (const input of cases.filter(needsEngine)) {
    results.push(engine ? await judgeIn(input, { engine }) : notRun('needs an engine')(input));
  }
  await engine?.stop();
  return results;
}

function isWatched(input: BadInput): boolean {
  return input.target !== 'cli' && input.holdSeconds === undefined && !needsOwnService(input);
}

async function judgeWatched(world: World, cases: readonly BadInput[]): Promise<CaseResult[]> {
  const watch = await watchStalls(Number(new URL(world.service.gatewayUrl).port));
  const results: CaseResult[] = [];
  try {
    for (const input of cases) results.push(await judgeUnstalled(world, watch, input));
  } finally {
    watch.stop();
  }
  return results;
}

/** A stall may be the machine's: only a case that stalls the service three times in a row is said to. */
async function judgeUnstalled(world: World, watch: StallWatch, input: BadInput): Promise<CaseResult> {
  watch.takeWorst();
  const { verdict } = await judgeOne(world, input);
  let stallMs = watch.takeWorst();
  for (let again = 0; again < 2 && stallMs > stallLimitMs; again += 1) {
    await judgeOne(world, input);
    stallMs = Math.min(stallMs, watch.takeWorst());
  }
  const stall = judgeThat(
    stallMs <= stallLimitMs,
    `the event loop stood still for ${Math.round(stallMs)} ms`,
  );
  return { input, verdict: combine([verdict, stall]), stallMs };
}

async function judgeOne(world: World, input: BadInput): Promise<CaseResult> {
  const pid = world.service.pid();
  const verdict = await run(world, input).catch((error: unknown): Verdict => {
    const reason = error instanceof Error ? error.message : String(error);
    return { grade: 'failed', deviations: [`could not be judged: ${reason}`] };
  });
  const lives = world.service.pid() === pid && world.service.isRunning() && (await answersAtOnce(world));
  if (!world.service.isRunning()) await world.service.restart();
  return { input, verdict: combine([verdict, judgeThat(lives, 'the service crashed or hangs')]) };
}

function run(world: World, input: BadInput): Promise<Verdict> {
  if (input.target === 'cli') return runCommandCase(world, input);
  return input.target === 'file' ? runFileCase(world, input) : runRequestCase(world, input);
}

async function answersAtOnce({ service }: World): Promise<boolean> {
  const urls = [`${service.gatewayUrl}/healthz`, `${service.managerUrl}/healthz`];
  const answers = urls.map((url) => fetch(url, { signal: AbortSignal.timeout(2_000) }));
  return Promise.all(answers).then(
    (all) => all.every(({ ok }) => ok),
    () => false,
  );
}

function needsEngine({ id }: BadInput): boolean {
  return id === 'provision-058' || id === 'provision-059';
}

/** Sessions that expire within seconds, or a user other than root, are not what the other cases want. */
function needsOwnService(input: BadInput): boolean {
  return input.method === 'CHMOD' || JSON.stringify(input).includes('{expiredSession}');
}

async function judgeInOwnService(input: BadInput): Promise<CaseResult> {
  const isChmod = input.method === 'CHMOD';
  if (isChmod && process.getuid?.() !== 0) return judgeIn(input, {});
  return judgeIn(input, isChmod ? { uid: 65_534 } : { env: { SESSION_TTL_SECONDS: '1' } });
}

async function judgeIn(input: BadInput, options: Parameters<typeof createWorld>[0]): Promise<CaseResult> {
  try {
    const world = await createWorld(options);
    return await judgeOne(world, input).finally(() => world.remove());
  } catch (error) {
    const reason = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
    return notRun(`its own service does not start: ${reason}`)(input);
  }
}

function notRun(reason: string) {
  return (input: BadInput): CaseResult => ({
    input,
    verdict: { grade: 'exact', deviations: [] },
    notRun: reason,
  });
}
