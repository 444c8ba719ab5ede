import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  noEngine,
  type ProvisionWatch,
  provisionFailed,
} from '../../../../lib/containers/images/provision-steps.ts';
import { Failure } from '../../../../lib/failure.ts';
import {
  draftConfig,
  type ProvisionRequest,
} from '../../../../lib/registry/provisioning/provision-request.ts';
import { previewServer } from '../../../../lib/registry/registration/registration.ts';
import type { Registry } from '../../../../lib/registry/registry.ts';
import { waitUntil } from '../../../support/wait-until.ts';
import { createManagerFixture, type ManagerParts } from './manager-fixture.ts';

const test = suite('POST /api/servers/provision');

const path = '/api/servers/provision';
const good = {
  name: 't1',
  image: 'mcp/echo:1',
  command: ['--x'],
  env_vars: { TOKEN: 'v' },
  description: 'd',
};

type Provision = Registry['provision'];

/** The manager in front of a registry whose provisions go as the test says; without an engine if it says nothing. */
function manager(provision: Provision = withoutEngine, parts: ManagerParts = {}) {
  return createManagerFixture({ ...parts, registry: { provision } });
}

const withoutEngine: Provision = async () => {
  throw noEngine();
};

/** Pulls, and is done. */
const pulling: Provision = async (request, { onStep }) => {
  onStep({ step: 'pull' });
  onStep({ step: 'pull', percent: 50, layers: { done: 1, total: 2 } });
  onStep({ step: 'register' });
  const server = await previewServer(
    draftConfig(request),
    [{ name: 'echo', definition: '{"name":"echo","inputSchema":{"type":"object"}}' }],
    undefined,
  );
  return { server, outcome: 'registered', warnings: ['It is slow.'], addedTools: [], removedTools: [] };
};

const container = { name: 'svc-mcp-t1', status: 'running', running: true, imageId: 'sha256:1' } as const;
const containers = { status: () => container, logs: async () => [], followLogs: async () => {} };

function provisionStreamed(fixture: ReturnType<typeof manager>, signal?: AbortSignal): Promise<Response> {
  const headers = { 'content-type': 'application/json', accept: 'text/event-stream' };
  return fixture.fetch(path, { method: 'POST', headers, body: JSON.stringify(good), signal: signal ?? null });
}

/** `type data` of each event. */
function eventsIn(text: string): string[] {
  return [...text.matchAll(/^event: (.*)\ndata: (.*)$/gm)].map(([, type, data]) => `${type} ${data}`);
}

/** `400 invalid_params`, for `good` with these changes. */
async function answerTo(
  changes: Record<string, unknown>,
  allowedImages: readonly string[] = ['mcp/*'],
): Promise<string> {
  const { status, body } = await manager(withoutEngine, { allowedImages }).call('POST', path, {
    ...good,
    ...changes,
  });
  return `${status} ${body.code}`;
}

test('a valid request reaches the registry, and the answer describes server and container', async () => {
  const asked: ProvisionRequest[] = [];
  const provision: Provision = (request, watch) => {
    asked.push(request);
    return pulling(request, watch);
  };

  const { status, body } = await manager(provision, { containers }).call('POST', path, good);

  assert.is(status, 201);
  assert.equal(asked, [good]);
  assert.equal(body, {
    success: true,
    message: 'Server t1 is provisioned with 1 tool.',
    name: 't1',
    container_name: 'svc-mcp-t1',
    container_running: true,
    tool_count: 1,
    tools: ['t1__echo'],
    warnings: ['It is slow.'],
  });
});

test('a failed one says the step, the exit code and the last lines', async () => {
  const { status, body } = await manager(async () => {
    throw provisionFailed('ready', 'It ended.', { status: 422, exitCode: 3, logTail: ['FATAL: no key'] });
  }).call('POST', path, good);

  assert.is(status, 422);
  assert.equal([body.success, body.code, body.error], [false, 'provision_failed', 'It ended.']);
  assert.equal(body.details, { step: 'ready', exit_code: 3, log_tail: ['FATAL: no key'] });
});

test('an event stream has each step, and ends with what the plain answer would have been', async () => {
  const response = await provisionStreamed(manager(pulling, { containers }));

  assert.is(response.status, 200);
  assert.is(response.headers.get('content-type'), 'text/event-stream');
  const [first, second, third, done = ''] = eventsIn(await response.text());
  assert.is(first, 'step {"step":"pull"}');
  assert.is(second, 'step {"step":"pull","percent":50,"layers":{"done":1,"total":2}}');
  assert.is(third, 'step {"step":"register"}');
  assert.equal(JSON.parse(done.replace('done ', '')), {
    success: true,
    message: 'Server t1 is provisioned with 1 tool.',
    name: 't1',
    container_name: 'svc-mcp-t1',
    container_running: true,
    tool_count: 1,
    tools: ['t1__echo'],
    warnings: ['It is slow.'],
  });
});

test('a failure after the first step is an event with the failure body', async () => {
  const response = await provisionStreamed(
    manager(async (_request, { onStep }) => {
      onStep({ step: 'pull' });
      throw provisionFailed('pull', 'No such image.', { status: 422 });
    }),
  );

  assert.is(response.status, 200);
  const [, failed = ''] = eventsIn(await response.text());
  const body = JSON.parse(failed.replace('failed ', ''));
  assert.is(body.request_id, response.headers.get('X-Request-Id'));
  assert.equal([body.success, body.code, body.details.step], [false, 'provision_failed', 'pull']);
  assert.type(body.request_id, 'string');
});

test('what is refused before the first step has a status of its own, streamed or not', async () => {
  const response = await provisionStreamed(
    manager(async () => {
      throw new Failure('conflict', 'It exists.');
    }),
  );

  assert.is(response.status, 409);
  assert.is((await response.json()).code, 'conflict');
});

test('a client that disconnects calls the provision off, streamed or not', async () => {
  const signals: AbortSignal[] = [];
  const provision: Provision = (_request, { onStep, signal }: ProvisionWatch) => {
    signals.push(signal);
    onStep({ step: 'pull' });
    return new Promise(() => {});
  };
  const leaving = new AbortController();

  const streamed = await provisionStreamed(manager(provision));
  await streamed.body?.cancel();
  provisionStreamed(manager(provision), leaving.signal);
  await waitUntil('both began', () => signals.length === 2);
  leaving.abort();

  await waitUntil('both are called off', () => signals.every(({ aborted }) => aborted));
});

test('name and image are required', async () => {
  assert.is(await answerTo({ name: undefined }), '400 invalid_params');
  assert.is(await answerTo({ image: undefined }), '400 invalid_params');
});

test('fields of another type are refused', async () => {
  assert.is(await answerTo({ name: 5 }), '400 invalid_params');
  assert.is(await answerTo({ command: 'a b' }), '400 invalid_params');
  assert.is(await answerTo({ env_vars: [] }), '400 invalid_params');
  assert.is(await answerTo({ env_vars: { A: 1 } }), '400 invalid_params');
  assert.is(await answerTo({ description: 5 }), '400 invalid_params');
});

test('names that are no server names are refused', async () => {
  assert.is(await answerTo({ name: 'a__b' }), '400 invalid_params');
  assert.is(await answerTo({ name: 'a\r\nb' }), '400 invalid_params');
  assert.is(await answerTo({ name: 'аdmin' }), '400 invalid_params');
  assert.is(await answerTo({ name: '-rf' }), '400 invalid_params');
});

test('what is no image reference is refused', async () => {
  assert.is(await answerTo({ image: '--privileged' }), '400 invalid_params');
  assert.is(await answerTo({ image: 'a&fromSrc=http://evil.example' }), '400 invalid_params');
});

test('an image outside the allow-list is image_not_allowed', async () => {
  assert.is(await answerTo({ image: 'evil.example/backdoor:latest' }), '403 image_not_allowed');
  assert.is(await answerTo({ image: 'evil.example/backdoor:latest' }, []), '503 provision_failed');
});

test('fields that would open the host are unknown', async () => {
  assert.is(await answerTo({ hostConfig: { Binds: ['/:/host'] } }), '400 invalid_params');
  assert.is(await answerTo({ network_mode: 'host' }), '400 invalid_params');
});

test('variable names are checked, prototype keys too', async () => {
  assert.is(await answerTo({ env_vars: { 'A=B': 'x' } }), '400 invalid_params');
  const { status } = await manager().call(
    'POST',
    path,
    '{"name":"t1","image":"a:1","env_vars":{"__proto__":"x"}}',
  );
  assert.is(status, 400);
});

test('a port or path makes it an HTTP image, and has no use with stdio', async () => {
  assert.is(await answerTo({ port: 80 }), '503 provision_failed');
  assert.is(await answerTo({ transport: 'streamable_http' }), '503 provision_failed');
  assert.is(await answerTo({ transport: 'streamable_http', port: 80, path: '/mcp' }), '503 provision_failed');
  assert.is(await answerTo({ transport: 'stdio', port: 80 }), '400 invalid_params');
  assert.is(await answerTo({ transport: 'stdio', path: '/mcp' }), '400 invalid_params');
  assert.is(await answerTo({ transport: 'streamable_http', port: 0 }), '400 invalid_params');
});

test('other media types, broken JSON and huge bodies are refused', async () => {
  const { call } = manager();

  const plain = await call('POST', path, good, { 'Content-Type': 'text/plain; application/json' });
  const broken = await call('POST', path, '{"name":');
  const huge = await call('POST', path, { ...good, description: 'd'.repeat(1_100_000) });

  assert.is(plain.body.code, 'unsupported_media_type');
  assert.is(broken.body.code, 'parse_error');
  assert.is(huge.body.code, 'payload_too_large');
});

test('values are never repeated, neither in the answer nor in the log', async () => {
  const fixture = manager();

  const answer = await fixture.call('POST', path, { ...good, env_vars: { TOKEN: { s: 'SECRET-CANARY-1' } } });

  assert.is(answer.status, 400);
  assert.not.match(answer.text, 'SECRET-CANARY-1');
  assert.not.match(JSON.stringify(fixture.logged), 'SECRET-CANARY-1');
});

test('what a config may say of its container is checked like a config, and what no server has is refused', async () => {
  for (const changes of [
    { volumes: [{ path: 'data' }] },
    { volumes: [{ path: '/data', target: '/x' }] },
    { volumes: ['/data'] },
    { entrypoint: [] },
    { shm_mb: 0 },
    { limits: { memory_mb: 1 } },
    { timeouts: { call_ms: 2_000, call_cap_ms: 1_000 } },
    { pull: 'sometimes' },
    { network: 'host' },
    { capabilities: ['SYS_ADMIN'] },
    { session_mode: 'both' },
    { args: ['--x'] },
    { privileged: true },
  ]) {
    assert.is(await answerTo(changes), '400 invalid_params', JSON.stringify(changes));
  }
});

test.run();
