/**
 * Runs a plan with a client and prints what came of each step. The plan is the first argument, as JSON:
 * `{url, headers?, command?, roots?, steps: [{do, …}]}`; what is printed is `{results: [{ok} | {error}]}`, a result per step.
 * A step that fails does not keep those after it from running. Drivers in other languages do the same.
 */
const stepLimitMs = 60_000;

/** @param connect Takes the plan, gives a function for each `do` that the client can, and `close`. */
export async function runPlan(connect) {
  const plan = JSON.parse(process.argv[2]);
  const results = [];
  const client = await within(connect(plan)).catch((error) => {
    results.push(...plan.steps.map(() => ({ error: textOf(error) })));
  });
  if (client) {
    for (const step of plan.steps) results.push(await take(client, step));
    await within(Promise.resolve(client.close())).catch(() => {});
  }
  process.stdout.write(`${JSON.stringify({ results })}\n`, () => process.exit(0));
}

async function take(client, step) {
  const work = client[step.do];
  if (work === undefined) return { error: `unsupported: ${step.do}` };
  try {
    return { ok: await within(work(step)) };
  } catch (error) {
    return { error: textOf(error) };
  }
}

function within(promise) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${stepLimitMs} ms`)), stepLimitMs);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

function textOf(error) {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}

/** What every driver answers to servers that ask. */
export const answers = {
  sampled: { role: 'assistant', model: 'test', content: { type: 'text', text: 'a model' } },
  elicited: { action: 'accept', content: { name: 'Ada' } },
  roots: { roots: [{ uri: 'file:///work', name: 'Work' }] },
};

/** Counts changes that were told; `awaitOne` resolves when there was one since it was last awaited. */
export function changeCounter() {
  let untaken = 0;
  let wake = () => {};
  return {
    add() {
      untaken += 1;
      wake();
    },
    async awaitOne() {
      while (untaken === 0)
        await new Promise((resolve) => {
          wake = resolve;
        });
      untaken = 0;
      return 'changed';
    },
  };
}

/** All pages of a list. */
export async function allPages(member, list) {
  const found = [];
  let cursor;
  do {
    const page = await list(cursor);
    found.push(...page[member]);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return found;
}

export function firstText({ content }) {
  return content[0]?.text;
}
