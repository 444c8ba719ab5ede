/**
 * Whose is it? Questions and log messages that come late, of calls that ended or were cancelled
 * (docs/protocol.md, rules 44, 49).
 */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { defaultLimits, type ServerConfig } from '../../../lib/config/server-config.ts';
import type { ClientChannel, UpstreamRequest } from '../../../lib/upstreams/upstreams.ts';
import {
  createUpstreamFixture,
  failureOf,
  isAlive,
  type ListeningServer,
  lateServerPath,
  serverConfig,
  startListening,
  until,
} from '../../support/upstream-fixture.ts';

const test = suite('what a server asks and logs late');
/** A process in the place of a container: who shares it is no matter of the engine. */
const fixture = createUpstreamFixture({}, ({ stdio }) => (config, events) => {
  return stdio({ ...config, image: undefined }, events);
});
const { upstreams, call, callText, notificationFeed, logged } = fixture;
const httpServers: ListeningServer[] = [];

test.before.each(() => void notificationFeed.splice(0));
test.after(async () => {
  await fixture.close();
  for (const server of httpServers) await server.kill();
});

let installed = 0;
function install(flags: readonly string[] = [], fields: Partial<ServerConfig> = {}): string {
  const name = `late-${++installed}`;
  const args = [lateServerPath, ...flags];
  upstreams.install(serverConfig({ name, command: process.execPath, args, ...fields }));
  return name;
}

async function installHttp(flags: readonly string[] = []): Promise<string> {
  const http = await startListening(lateServerPath, flags);
  httpServers.push(http);
  const url = `http://127.0.0.1:${http.port}/mcp`;
  const name = `late-${++installed}`;
  upstreams.install(serverConfig({ name, transport: 'streamable_http', url }));
  return name;
}

/** A session whose client writes down what it is asked and told, and what is told to it outside of calls. */
function agent(name: string, canAnswer = true) {
  const asked: string[] = [];
  const told: string[] = [];
  const note = (message: string) => void told.push(JSON.parse(message).params.data);
  const clientChannel: ClientChannel = {
    ...{ canAnswer, logLevel: undefined, hangUp() {}, notify: note },
    async ask(_method, params) {
      asked.push(JSON.parse(params).message.replace(/^\[.*\] /, ''));
      return canAnswer
        ? { result: `{"from":"${name}"}` }
        : { error: '{"code":-32601,"message":"It declared nothing."}' };
    },
  };
  const more: Partial<UpstreamRequest> = { sessionId: name, clientChannel };
  const heardOutside = () =>
    notificationFeed.filter((one) => one.sessionId === name).map((one) => JSON.parse(one.text).params.data);
  return {
    asked,
    told: () => [...told, ...heardOutside()],
    leave: (server: string, mark: string) => callText(server, 'leave', { mark }, more),
    pid: (server: string) => callText(server, 'pid', {}, more),
    /** Begins a call that leaves something behind and is given up once `until` resolves. */
    cancel(server: string, mark: string) {
      const controller = new AbortController();
      const over = failureOf(
        call(server, 'leave', { mark, hangs: true }, { ...more, signal: controller.signal }),
      );
      return async () => {
        controller.abort(new Error('cancelled'));
        await over;
      };
    },
    settle: async (server: string, mark: string, expects = 0) =>
      JSON.parse(await callText(server, 'settle', { mark, expects }, more)) as Settled,
  };
}

interface Said {
  readonly mark: string;
  readonly result?: { from: string };
  readonly error?: { code: number; message: string };
}

interface Settled {
  readonly own: Said;
  readonly late: readonly Said[];
}

test('of a call that ended is refused while another session calls, and its log reaches nobody', async () => {
  const server = install();
  const [ann, bob] = [agent('ann'), agent('bob')];
  await ann.leave(server, 'of ann');

  const { late } = await bob.settle(server, 'of bob', 1);

  assert.is(late[0]?.error?.code, -32601);
  assert.match(late[0]?.error?.message ?? '', 'Several sessions share this connection');
  assert.equal([ann.asked, bob.asked], [[], []]);
  assert.equal([ann.told(), bob.told()], [[], []]);
  assert.ok(notificationFeed.every(({ method }) => method !== 'notifications/message'));
});

test('of a cancelled call is refused while another session calls', async () => {
  const server = install();
  const [ann, bob] = [agent('ann'), agent('bob')];
  const cancel = ann.cancel(server, 'of ann');
  await ann.pid(server);
  await cancel();

  const { own, late } = await bob.settle(server, 'of bob', 1);

  assert.equal([late[0]?.error?.code, own.error?.code], [-32601, -32601]);
  assert.equal([ann.asked, bob.asked], [[], []]);
});

test('reaches its session while no other has used the connection', async () => {
  const server = install();
  const ann = agent('ann');
  await ann.leave(server, 'late');

  const { own, late } = await ann.settle(server, 'in time', 1);

  assert.equal([own.result?.from, late[0]?.result?.from], ['ann', 'ann']);
  assert.equal(ann.asked.sort(), ['in time', 'late']);
  assert.equal(ann.told().sort(), ['in time', 'late']);
});

test('is nobody’s once the session that alone used the connection has ended', async () => {
  const server = install();
  const [ann, bob] = [agent('ann'), agent('bob')];
  await ann.leave(server, 'of ann');
  upstreams.endSession('ann');

  const { late } = await bob.settle(server, 'of bob', 1);

  assert.is(late[0]?.error?.code, -32601);
  assert.equal(bob.asked, []);
});

test('is attributed from then on: each session has a connection of its own', async () => {
  const server = install();
  const [ann, bob] = [agent('ann'), agent('bob')];
  await ann.leave(server, 'of ann');
  await bob.settle(server, 'of bob', 1);

  await Promise.all([ann.leave(server, 'late of ann'), bob.leave(server, 'late of bob')]);
  await Promise.all([ann.settle(server, 'ann', 1), bob.settle(server, 'bob', 1)]);

  assert.equal(
    [ann.asked.sort(), bob.asked.sort()],
    [
      ['ann', 'late of ann'],
      ['bob', 'late of bob'],
    ],
  );
  assert.is.not(await ann.pid(server), await bob.pid(server));
});

test('of a server that declares logging is attributed from the first on, to sessions that can be asked', async () => {
  const server = install(['--declares-logging']);
  const [ann, bob, mute] = [agent('ann'), agent('bob'), agent('mute', false)];
  await ann.leave(server, 'late of ann');
  await bob.leave(server, 'late of bob');

  await Promise.all([ann.settle(server, 'ann', 1), bob.settle(server, 'bob', 1)]);

  assert.equal(
    [ann.asked.sort(), ann.told().sort()],
    [
      ['ann', 'late of ann'],
      ['ann', 'late of ann'],
    ],
  );
  assert.equal(
    [bob.asked.sort(), bob.told().sort()],
    [
      ['bob', 'late of bob'],
      ['bob', 'late of bob'],
    ],
  );
  upstreams.endSession('ann');
  assert.is(await mute.pid(server), await agent('mute too', false).pid(server));
});

test('is attributed after a reconnect and a new configuration too', async () => {
  const server = install();
  const [ann, bob] = [agent('ann'), agent('bob')];
  await ann.pid(server);
  await bob.settle(server, 'first');
  await upstreams.restart(server);
  const args = [lateServerPath];
  upstreams.install(serverConfig({ name: server, command: process.execPath, args, description: 'new' }));

  const pids = await Promise.all([ann.pid(server), bob.pid(server)]);

  assert.is.not(pids[0], pids[1]);
});

test('leaves the session where it is that alone uses the connection', async () => {
  const server = install();
  const [ann, bob] = [agent('ann'), agent('bob')];
  const before = await ann.pid(server);
  await ann.settle(server, 'of ann');

  assert.is.not(await bob.pid(server), before);
  assert.is(await ann.pid(server), before);
  assert.is((await ann.settle(server, 'again')).own.result?.from, 'ann');
});

test('does not go to a connection on which sessions meet that cannot be asked', async () => {
  const server = install();
  const [ann, one, two] = [agent('ann'), agent('one', false), agent('two', false)];
  await ann.settle(server, 'of ann');
  const pids = [await ann.pid(server), await one.pid(server)];
  upstreams.endSession('ann');

  assert.is.not(pids[0], pids[1]);
  assert.is(await two.pid(server), pids[0]);
});

test('is refused where as many connections are busy as there may be, and calls go on', async () => {
  const server = install([], { limits: { ...defaultLimits, sessions: 1 } });
  const agents = ['ann', 'bob', 'cyd'].map((name) => agent(name));
  const [ann, bob, cyd] = agents as [(typeof agents)[0], (typeof agents)[0], (typeof agents)[0]];
  await ann.pid(server);
  await bob.settle(server, 'first');

  const own = await bob.settle(server, 'own');
  const release = bob.cancel(server, 'busy');
  await cyd.leave(server, 'late of cyd');
  const shared = await ann.settle(server, 'shared', 1);
  await release();

  assert.is(own.own.result?.from, 'bob');
  assert.equal([shared.own.error?.code, shared.late[0]?.error?.code], [-32601, -32601]);
  assert.equal([ann.asked, cyd.asked], [[], []]);
});

test('has room for one more session where another has not called for longest', async () => {
  const server = install([], { limits: { ...defaultLimits, sessions: 2 } });
  const agents = ['ann', 'bob', 'cyd'].map((name) => agent(name));
  const [ann, bob, cyd] = agents as [(typeof agents)[0], (typeof agents)[0], (typeof agents)[0]];
  await ann.pid(server);
  await bob.settle(server, 'first');

  const pids = [await ann.pid(server), await bob.pid(server)];
  for (let from = ''; from !== 'cyd'; ) {
    assert.is((await ann.settle(server, 'ann')).own.result?.from, 'ann');
    from = (await cyd.settle(server, 'cyd')).own.result?.from ?? '';
  }

  assert.is(await ann.pid(server), pids[0]);
  await until(() => !isAlive(Number(pids[1])));
});

test('that only logs stays shared, and what nobody can attribute is in our own log once', async () => {
  const server = install(['--mute']);
  const [ann, bob] = [agent('ann'), agent('bob')];
  const pid = await ann.pid(server);
  for (let turn = 0; turn < 3; turn++) {
    await ann.leave(server, 'of ann');
    await bob.settle(server, 'of bob', 1);
  }

  assert.is(await bob.pid(server), pid);
  assert.equal([ann.told(), bob.told()], [[], []]);
  const warnings = logged.filter(({ fields }) => fields.server === server);
  assert.is(warnings.length, 1);
  assert.match(warnings[0]?.message ?? '', 'session_mode');
});

test('of a server in a container is refused while it is shared, for a second one would part its data', async () => {
  const server = install([], { image: 'late:1' });
  const [ann, bob] = [agent('ann'), agent('bob')];
  assert.is((await ann.settle(server, 'alone')).own.result?.from, 'ann');

  for (let turn = 0; turn < 2; turn++) {
    const { own } = await bob.settle(server, 'of bob');
    assert.is(own.error?.code, -32601);
    assert.match(own.error?.message ?? '', 'Several sessions share this connection');
  }

  assert.is(await bob.pid(server), await ann.pid(server));
  const warnings = logged.filter(
    ({ fields, message }) => fields.server === server && /share one container/.test(message),
  );
  assert.is(warnings.length, 1);
  assert.match(
    warnings[0]?.message ?? '',
    '`session_mode: stateful` each session has a container, and data, of its own',
  );
});

test('of a server in a container that declares logging is nobody’s while it is shared', async () => {
  const server = install(['--declares-logging'], { image: 'late:1' });
  const [ann, bob] = [agent('ann'), agent('bob')];
  await ann.leave(server, 'late of ann');

  await bob.leave(server, 'late of bob');
  const { late } = await bob.settle(server, 'bob', 2);

  assert.equal(
    late.map(({ error }) => error?.code),
    [-32601, -32601],
  );
  assert.equal([ann.asked, bob.asked, bob.told()], [[], [], []]);
  assert.is(await bob.pid(server), await ann.pid(server));
});

test('over HTTP is told by the stream of its call, and is refused outside of one', async () => {
  const server = await installHttp();
  const [ann, bob] = [agent('ann'), agent('bob')];
  const cancel = ann.cancel(server, 'of ann');
  await ann.pid(server);
  await cancel();

  const { own, late } = await bob.settle(server, 'of bob', 1);

  assert.equal([own.result?.from, late[0]?.error?.code], ['bob', -32601]);
  assert.equal([bob.asked, bob.told()], [['of bob'], ['of bob']]);
  assert.equal([ann.asked, ann.told()], [[], []]);
});

test('over HTTP with a server that names no session is nobody’s outside of a call', async () => {
  const server = await installHttp(['--sessionless']);
  const ann = agent('ann');
  await ann.leave(server, 'late of ann');

  const { own, late } = await ann.settle(server, 'of ann', 1);

  assert.is(own.result?.from, 'ann');
  assert.is(late[0]?.error?.code, -32601);
  assert.equal([ann.asked, ann.told()], [['of ann'], ['of ann']]);
});

test('counts sessions that only subscribed', async () => {
  const server = install();
  const [ann, bob] = [agent('ann'), agent('bob')];
  const params = () => '{"uri":"a:b"}';
  await call(server, '', {}, { sessionId: 'bob', method: 'resources/subscribe', params });
  await upstreams.restart(server);
  await ann.leave(server, 'of ann');

  const { late } = await ann.settle(server, 'of ann', 1);

  assert.is(late[0]?.error?.code, -32601);
  assert.equal([ann.asked, bob.asked], [[], []]);
});

test.run();
