/**
 * What servers declare to be asked for, ask of a session outside of its calls, and hear of its roots
 * (docs/protocol.md, rules 49, 51).
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { CancelSignal } from '../../../lib/async/cancellation.ts';
import type { ServerConfig } from '../../../lib/config/server-config.ts';
import type { RawAnswer } from '../../../lib/json-rpc/server-messages.ts';
import type { OutsideQuestion } from '../../../lib/upstreams/sessions/session-clients.ts';
import type { ClientChannel } from '../../../lib/upstreams/upstreams.ts';
import {
  createUpstreamFixture,
  faultConfig,
  serverConfig,
  startHttpFaultServer,
  until,
} from '../../support/upstream-fixture.ts';

const test = suite('a server that asks outside of calls');
const folder = mkdtempSync(join(tmpdir(), 'svc-mcp-outside-'));
/** Session → what its client declared. */
const declared = new Map<string, Record<string, unknown>>();
const asked: OutsideQuestion[] = [];
let answer: (question: OutsideQuestion) => Promise<RawAnswer>;
const fixture = createUpstreamFixture({}, undefined, {
  capabilitiesOf: async (sessionId) => declared.get(sessionId),
  async ask(question) {
    asked.push(question);
    return await answer(question);
  },
});
const { upstreams, callText } = fixture;
const web = await startHttpFaultServer(['--sse', 'yes']);
const everything = {
  sampling: { tools: {}, context: {} },
  elicitation: { form: {}, url: {} },
  roots: { listChanged: true },
};

test.before.each(() => {
  asked.splice(0);
  answer = async () => ({ result: '{"roots":[],"n":1.0}' });
});
test.after(async () => {
  await fixture.close();
  await web.kill();
  rmSync(folder, { recursive: true });
});

let installed = 0;
interface Installed {
  readonly name: string;
  readonly journal: () => string;
  readonly initialized: () => { capabilities: Record<string, unknown> };
}

function install(fields: Partial<ServerConfig> = {}, flags: readonly string[] = []): Installed {
  const name = `outside-${++installed}`;
  const file = join(folder, name);
  upstreams.install(faultConfig(name, ['--journal', file, ...flags], { sessionMode: 'stateful', ...fields }));
  const journal = () => readFileSync(file, 'utf8');
  const initialized = () => {
    const messages = journal()
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));
    return messages.findLast(({ method }) => method === 'initialize').params;
  };
  return { name, journal, initialized };
}

/** Whose client is asked on the streams of its calls. */
function clientChannel(
  ask: ClientChannel['ask'] = async () => ({ result: '{"roots":[{"uri":"file:///of-the-call"}]}' }),
) {
  const questions: { method: string; signal: CancelSignal }[] = [];
  const client: ClientChannel = {
    ...{ canAnswer: true, logLevel: undefined, hangUp() {}, notify() {} },
    ask(method, params, signal) {
      questions.push({ method, signal });
      return ask(method, params, signal);
    },
  };
  return { client, questions };
}

/** An answer that comes when the test says so. */
function later() {
  let resolve: (answer: RawAnswer) => void = () => {};
  const promise = new Promise<RawAnswer>((given) => {
    resolve = given;
  });
  return { promise, resolve };
}

let sessions = 0;
function session(capabilities: Record<string, unknown> = everything) {
  const sessionId = `session-${++sessions}`;
  declared.set(sessionId, capabilities);
  return { sessionId };
}

async function answersAt(server: string, more: { sessionId: string }, count = 1) {
  let answers: { result?: unknown; error?: { code: number; message: string } }[] = [];
  for (; answers.length < count; ) {
    answers = JSON.parse(await callText(server, 'answers', {}, more));
  }
  return answers;
}

function withoutOurs({ experimental: _, ...capabilities }: Record<string, unknown>) {
  return capabilities;
}

test('is told what the client of its session declared, of what the revision knows, and no more', async () => {
  const server = install();
  const own = session({
    sampling: { tools: {}, future: {} },
    elicitation: {},
    roots: null,
    tasks: {},
    experimental: { secret: {} },
  });

  await callText(server.name, 'echo', {}, own);

  const { capabilities } = server.initialized();
  assert.equal(withoutOurs(capabilities), { sampling: { tools: {} }, elicitation: {} });
  assert.not.match(JSON.stringify(capabilities), 'secret');
});

test('is told nothing when its client declared nothing', async () => {
  const server = install();

  await callText(server.name, 'echo', {}, session({}));

  assert.equal(withoutOurs(server.initialized().capabilities), {});
});

test('over a shared connection is told all but roots, and where it only lists roots too', async () => {
  const shared = install({ sessionMode: 'stateless' });
  const listing = install();

  await callText(shared.name, 'echo', {}, session());
  await upstreams.connect(listing.name);

  const { roots: _, ...butRoots } = everything;
  assert.equal(withoutOurs(shared.initialized().capabilities), butRoots);
  assert.equal(withoutOurs(listing.initialized().capabilities), { ...butRoots, roots: {} });
});

test('reaches its session, named to it, and gets the answer as it is', async () => {
  const server = install();
  const own = session();
  const params = { message: 'Which?', requestedSchema: {} };
  answer = async () => ({ result: '{"action":"accept","content":{"n":1.0}}' });

  await callText(server.name, 'ask_outside', { method: 'elicitation/create', params }, own);
  const [told] = await answersAt(server.name, own);

  assert.equal(told?.result, { action: 'accept', content: { n: 1 } });
  assert.is(asked[0]?.sessionId, own.sessionId);
  assert.equal(JSON.parse(asked[0]?.params ?? ''), {
    message: `[${server.name}] Which?`,
    requestedSchema: {},
    _meta: { 'svc-mcp/server': server.name },
  });
});

test('over a shared connection reaches the one session that has ever used it, but gets no roots', async () => {
  const server = install({ sessionMode: 'stateless' }, ['--on-start', 'no_logging']);
  const own = session();
  answer = async () => ({ result: '{"action":"decline"}' });

  await callText(server.name, 'ask_outside', { method: 'elicitation/create' }, own);
  const [told] = await answersAt(server.name, own);
  await callText(server.name, 'ask_outside', { method: 'roots/list' }, own);
  const [, refused] = await answersAt(server.name, own, 2);

  assert.equal(told?.result, { action: 'decline' });
  assert.is(asked.length, 1);
  assert.is(refused?.error?.code, -32601);
  assert.match(refused?.error?.message ?? '', 'Roots are not declared here');
});

test('where it only lists asks nobody', async () => {
  const server = install({}, ['--on-start', 'wants_roots']);

  assert.ok((await upstreams.connect(server.name)).length > 0);

  assert.equal(asked, []);
});

test('has the roots before its first call, though the client listens to nothing but that call', async () => {
  const server = install({}, ['--on-start', 'wants_roots']);
  const { client, questions } = clientChannel();

  const text = await callText(server.name, 'answers', {}, { ...session(), clientChannel: client });

  assert.equal(JSON.parse(text), [{ result: { roots: [{ uri: 'file:///of-the-call' }] } }]);
  assert.equal(
    questions.map(({ method }) => method),
    ['roots/list'],
  );
  assert.equal(asked, []);
});

test('has the roots of a client whose call cannot be told anything, before that call', async () => {
  const server = install({}, ['--on-start', 'wants_roots']);

  const text = await callText(server.name, 'answers', {}, session());

  assert.equal(JSON.parse(text), [{ result: { roots: [], n: 1 } }]);
});

test('that does not want roots is called at once, by a client without roots too', async () => {
  const server = install();

  assert.is(await callText(server.name, 'answers', {}, session()), '[]');
  assert.is(await callText(server.name, 'answers', {}, session({})), '[]');
});

test('asks for roots in the stream of a call, and gets them when that has ended', async () => {
  const server = install();
  const { promise, resolve: tell } = later();
  const { client, questions } = clientChannel(() => promise);
  const own = { ...session(), clientChannel: client };

  await callText(server.name, 'ask_outside', { method: 'roots/list', isDuring: true }, own);
  assert.equal(
    questions.map(({ signal }) => signal.aborted),
    [false],
  );
  tell({ result: '{"roots":[]}' });

  assert.equal(await answersAt(server.name, own), [{ result: { roots: [] } }]);
});

test('may ask 16 things at once, and no more', async () => {
  const server = install();
  const own = session();
  const open: ((answer: RawAnswer) => void)[] = [];
  answer = () => new Promise((resolve) => open.push(resolve));

  await callText(server.name, 'ask_outside', { method: 'sampling/createMessage', times: 17 }, own);
  const [refused] = await answersAt(server.name, own);
  for (const resolve of open) resolve({ result: '{}' });

  assert.is(refused?.error?.code, -32603);
  assert.match(refused?.error?.message ?? '', '16 things');
  assert.is((await answersAt(server.name, own, 17)).length, 17);
  assert.is(asked.length, 16);
});

test('may not ask what is too long to wait in the database', async () => {
  const server = install();
  const own = session();
  const params = { text: 'x'.repeat(524_288) };

  await callText(server.name, 'ask_outside', { method: 'sampling/createMessage', params }, own);
  const [refused] = await answersAt(server.name, own);

  assert.match(refused?.error?.message ?? '', '524288 characters');
  assert.equal(asked, []);
});

test('may take its question back, and gets no answer then', async () => {
  const server = install();
  const own = session();
  answer = ({ signal }) =>
    new Promise((resolve) => {
      if (signal.aborted) resolve({ result: '{}' });
      else signal.addEventListener('abort', () => resolve({ result: '{}' }));
    });

  await callText(server.name, 'ask_outside', { method: 'elicitation/create', isTakenBack: true }, own);
  await until(() => asked[0]?.signal.aborted === true);

  assert.is(await callText(server.name, 'answers', {}, own), '[]');
});

test('leaves no question open when its session ends, or it does', async () => {
  const server = install();
  const [one, two] = [session(), session()];
  answer = ({ signal }) =>
    new Promise((resolve) => signal.addEventListener('abort', () => resolve({ result: '{}' })));
  for (const own of [one, two]) {
    await callText(server.name, 'ask_outside', { method: 'elicitation/create' }, own);
  }
  await until(() => asked.length === 2);

  upstreams.endSession(one.sessionId);
  await until(() => asked[0]?.signal.aborted === true);
  assert.is(asked[1]?.signal.aborted, false);
  await callText(server.name, 'crash', {}, two).catch(() => {});

  await until(() => asked[1]?.signal.aborted === true);
});

const changes = (journal: string) => journal.split('notifications/roots/list_changed').length - 1;

test('hears that the roots of its session changed, and no other does', async () => {
  const [own, shared] = [install(), install({ sessionMode: 'stateless' })];
  const [ann, bob, mute] = [session(), session(), session({ sampling: {} })];
  for (const one of [ann, bob, mute]) await callText(own.name, 'echo', {}, one);
  await callText(shared.name, 'echo', {}, ann);

  upstreams.rootsChanged(ann.sessionId);
  upstreams.rootsChanged(mute.sessionId);
  for (const one of [ann, bob, mute]) await callText(own.name, 'echo', {}, one);
  await callText(shared.name, 'echo', {}, ann);

  assert.equal([changes(own.journal()), changes(shared.journal())], [1, 0]);
});

test('hears so once it has started, if they changed meanwhile', async () => {
  const server = install({}, ['--on-start', 'wants_roots']);
  const own = session();
  const { promise, resolve: tell } = later();
  answer = () => promise;
  const calling = callText(server.name, 'echo', {}, own);
  await until(() => asked.length === 1);

  upstreams.rootsChanged(own.sessionId);
  tell({ result: '{"roots":[]}' });
  await calling;
  await callText(server.name, 'echo', {}, own);

  assert.is(changes(server.journal()), 1);
});

test('over HTTP is refused on the stream of a call whose client cannot be told anything', async () => {
  const url = `http://127.0.0.1:${web.port}/mcp`;
  const name = 'outside-web';
  upstreams.install(serverConfig({ name, transport: 'streamable_http', url, sessionMode: 'stateful' }));

  const text = await callText(name, 'ask', { method: 'elicitation/create' }, session());

  assert.is(JSON.parse(text).error.code, -32601);
  assert.equal(asked, []);
});

test.run();
