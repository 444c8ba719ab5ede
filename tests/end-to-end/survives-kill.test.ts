/**
 * A service that is killed with `kill -9` loses nothing it acknowledged: sessions, tools, groups, and every one of
 * 2,000 toggles over ten kills, while four readers never meet a group file that is not whole.
 */
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { manage, replaceTools, switchTool, toolsOf } from '../support/manager-api.ts';
import { connectClient, openSession } from '../support/mcp-client.ts';
import { type RunningService, runService } from '../support/run-service.ts';
import { configFiles, everythingConfig, memoryConfig } from '../support/test-servers.ts';
import { waitUntil } from '../support/wait-until.ts';

const test = suite('kill -9');
const group = 'svc-global';
const toggles = 2000;
const kills = 10;
const workers = 8;
const readers = 4;
let service: RunningService;
let tools: string[];

test.before(async () => {
  service = await runService({ configs: configFiles(everythingConfig(), memoryConfig('memory')) });
  tools = await waitUntil('the servers are listed', async () => {
    const listed = [...(await toolsOf(service, 'everything')), ...(await toolsOf(service, 'memory'))];
    return listed.length > 20 ? listed : undefined;
  });
});

test.after(() => service?.remove());

test('a session lives on, with the tools and groups that were acknowledged', async () => {
  await manage(service, 'POST', '/api/groups/research', { tools: ['memory__read_graph'] });
  await replaceTools(service, group, ['everything__get-sum', 'everything__echo']);
  const session = await openSession(service.groupUrl());
  const other = await openSession(service.groupUrl('research'));
  const before = [await session.request('tools/list'), await other.request('tools/list')];

  await service.kill9();
  await service.restart();

  const after = [await session.request('tools/list'), await other.request('tools/list')];
  const call = { name: 'everything__echo', arguments: { message: 'still here' } };
  const called = await session.request('tools/call', call);
  assert.equal(
    after.map(({ body }) => body.result),
    before.map(({ body }) => body.result),
  );
  assert.equal(called.body.result, { content: [{ type: 'text', text: 'Echo: still here' }] });
  assert.is((await openSession(service.groupUrl())).initialized.status, 200);
});

test('the SDK client goes on with its session after the kill', async () => {
  const { client, close } = await connectClient(service.groupUrl());

  await service.kill9();
  await service.restart();

  const { tools: listed } = await client.listTools();
  const result = await client.callTool({ name: 'everything__get-sum', arguments: { a: 2, b: 3 } });
  assert.equal(
    listed.map(({ name }) => name),
    ['everything__get-sum', 'everything__echo'],
  );
  assert.equal(result.content, [{ type: 'text', text: 'The sum of 2 and 3 is 5.' }]);
  await close();
});

test('of 2,000 toggles with ten kills none that was acknowledged is lost, and no reader meets half a file', async () => {
  await replaceTools(service, group, []);
  const file = join(service.groupsDir, `${group}.json`);
  const model = createModel(tools);
  const reading = readAllTheTime(file);
  const run: Run = { acknowledged: 0, attempted: 0, lost: [], isOpen: Promise.resolve() };
  const working = Array.from({ length: workers }, (_, worker) => {
    const own = tools.filter((_tool, at) => at % workers === worker);
    return work(own, model, run);
  });

  for (let kill = 1; kill <= kills; kill += 1)
    await killAfter((toggles * kill) / (kills + 1), file, model, run);
  await Promise.all(working);
  const { reads, invalid } = await reading.stop();

  run.lost.push(...model.contradictions(readTools(file)));
  assert.ok(run.acknowledged >= toggles - kills * workers, `${run.acknowledged} acknowledged`);
  assert.ok(reads > toggles, `${reads} reads`);
  assert.equal(invalid, []);
  assert.equal(run.lost, []);
});

/** Kills the service once `due` toggles are acknowledged, and looks at the file before and after the next start. */
async function killAfter(due: number, file: string, model: Model, run: Run): Promise<void> {
  const isDue = () => run.acknowledged >= due;
  await waitUntil(`${due} toggles are acknowledged`, isDue, { limitMs: 60_000, everyMs: 1 });
  let open = () => {};
  run.isOpen = new Promise((resolve) => {
    open = resolve;
  });
  await service.kill9();
  run.lost.push(...model.contradictions(readTools(file)));
  await service.restart();
  run.lost.push(...model.contradictions((await manage(service, 'GET', '/api/current')).tools));
  open();
}

interface Run {
  acknowledged: number;
  attempted: number;
  /** Tools that are not as they must be. */
  readonly lost: string[];
  /** Resolved while the service is up. */
  isOpen: Promise<void>;
}

/** Toggles its own tools at random until all workers together have done their number. */
async function work(own: readonly string[], model: Model, run: Run): Promise<void> {
  while (run.attempted < toggles) {
    await run.isOpen;
    run.attempted += 1;
    const tool = own[Math.floor(Math.random() * own.length)] ?? '';
    const enabled = Math.random() < 0.5;
    model.attempt(tool, enabled);
    try {
      await switchTool(service, group, tool, enabled);
      model.acknowledge(tool, enabled);
      run.acknowledged += 1;
    } catch (error) {
      // Only a kill may cost an answer; `fetch` reports that as a TypeError.
      if (!(error instanceof TypeError)) throw error;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}

interface Model {
  attempt(tool: string, enabled: boolean): void;
  acknowledge(tool: string, enabled: boolean): void;
  /** What in `listed` cannot be after the last acknowledged toggle and those since without an answer. */
  contradictions(listed: readonly string[]): string[];
}

function createModel(names: readonly string[]): Model {
  const possible = new Map(names.map((name) => [name, new Set([false])]));
  return {
    attempt: (tool, enabled) => void possible.get(tool)?.add(enabled),
    acknowledge: (tool, enabled) => void possible.set(tool, new Set([enabled])),
    contradictions(listed) {
      const wrong = names.filter((name) => !possible.get(name)?.has(listed.includes(name)));
      const doubled = listed.filter((name, at) => listed.indexOf(name) !== at);
      return [...wrong, ...doubled];
    },
  };
}

function readTools(file: string): string[] {
  return JSON.parse(readFileSync(file, 'utf8')).included_tools;
}

function readAllTheTime(file: string): { stop(): Promise<{ reads: number; invalid: string[] }> } {
  const found = { reads: 0, invalid: [] as string[] };
  let isStopped = false;
  const read = async () => {
    while (!isStopped) {
      const text = await readFile(file, 'utf8').catch((error: Error) => error.message);
      if (!isWhole(text)) found.invalid.push(text);
      found.reads += 1;
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
  };
  const reading = Array.from({ length: readers }, read);
  return {
    async stop() {
      isStopped = true;
      await Promise.all(reading);
      return found;
    },
  };
}

function isWhole(text: string): boolean {
  try {
    return JSON.parse(text).included_tools.every((name: unknown) => typeof name === 'string');
  } catch {
    return false;
  }
}

test.run();
