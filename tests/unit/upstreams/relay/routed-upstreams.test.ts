import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { parseServerConfig } from '../../../../lib/config/parse-server-config.ts';
import type { ServerConfig } from '../../../../lib/config/server-config.ts';
import { createRoutedUpstreams } from '../../../../lib/container-host/routed-upstreams.ts';
import { toFailure } from '../../../../lib/failure.ts';
import type { UpstreamRequest, Upstreams } from '../../../../lib/upstreams/upstreams.ts';
import { call } from './relay-fixture.ts';

const test = suite('upstreams here and elsewhere');

const boxed = parseServerConfig({ name: 'boxed', transport: 'stdio', image: 'a:1' });
const process = parseServerConfig({ name: 'process', transport: 'stdio', command: 'x' });

function world() {
  const state: { isOwner: boolean; problem: string | undefined; lacking: string[] } = {
    isOwner: false,
    problem: undefined,
    lacking: [],
  };
  const asked: string[] = [];
  const note = async (what: string) => void asked.push(what);
  const local = {
    request: ({ server }: UpstreamRequest) => note(`here ${server}`).then(() => ({ result: '{}' })),
    connect: (name: string) => note(`connect ${name}`).then(() => []),
    restart: (name: string) => note(`restart ${name}`).then(() => []),
    prepare: ({ name }: ServerConfig) => note(`prepare ${name}`),
    status: () => ({ state: 'connected' }),
  } as unknown as Upstreams;
  const upstreams = createRoutedUpstreams({
    local,
    remote: { request: ({ server }) => note(`there ${server}`).then(() => ({ result: '{}' })) },
    manager: { request: ({ server }) => note(`manager ${server}`).then(() => ({ result: '{}' })) },
    needsManager: ({ name }) => state.lacking.includes(name),
    isOwner: () => state.isOwner,
    absent: { reason: async () => state.problem ?? 'it is elsewhere', known: () => state.problem },
    catalog: {
      server: (name) =>
        [boxed, process].map((config) => ({ config })).find(({ config }) => config.name === name),
    },
  });
  return { state, asked, upstreams };
}

test('calls of containers go to the process that looks after them, all others stay', async () => {
  const { upstreams, asked } = world();

  await upstreams.request(call({ server: 'boxed' }));
  await upstreams.request(call({ server: 'process' }));
  await upstreams.request(call({ server: 'unknown' }));

  assert.equal(asked, ['there boxed', 'here process', 'here unknown']);
});

test('from one call to the next this process may be the one', async () => {
  const { upstreams, asked, state } = world();
  state.isOwner = true;

  await upstreams.request(call({ server: 'boxed' }));
  await upstreams.restart('boxed');

  assert.equal(asked, ['here boxed', 'restart boxed']);
  assert.is(upstreams.status('boxed')?.state, 'connected');
});

test('what changes a container is refused elsewhere, naming the server', async () => {
  const { upstreams, asked } = world();
  const attempts = [
    () => upstreams.restart('boxed'),
    () => upstreams.connect('boxed'),
    () => upstreams.prepare(boxed),
  ];

  for (const attempt of attempts) {
    const failure = toFailure(await attempt().catch((error: unknown) => error));
    assert.is(failure.code, 'upstream_unavailable');
    assert.is(failure.message, 'The server "boxed" is unavailable: it is elsewhere.');
  }
  assert.is(upstreams.status('boxed'), undefined);
  assert.equal(asked, []);
});

test('an engine that keeps everybody from them is told of instead, in its status too', async () => {
  const { upstreams, state } = world();
  state.problem = 'the engine is away';

  const failure = toFailure(await upstreams.restart('boxed').catch((error: unknown) => error));

  const why = 'The server "boxed" is unavailable: the engine is away.';
  assert.is(failure.message, why);
  assert.equal([upstreams.status('boxed')?.state, upstreams.status('boxed')?.lastError], ['failed', why]);
});

test('what this process lacks for a server, a manager has: calls go there, and other operations are refused', async () => {
  const { upstreams, asked, state } = world();
  state.lacking.push('process');

  await upstreams.request(call({ server: 'process' }));
  const failure = toFailure(await upstreams.restart('process').catch((error: unknown) => error));

  assert.equal(asked, ['manager process']);
  assert.is(failure.code, 'upstream_unavailable');
  assert.is(upstreams.status('process'), undefined);
});

test.run();
