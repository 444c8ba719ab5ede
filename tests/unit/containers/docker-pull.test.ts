import { Readable } from 'node:stream';
import type Docker from 'dockerode';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { FoundCredentials } from '../../../lib/containers/credentials/registry-credentials.ts';
import type { DockerClient } from '../../../lib/containers/docker/node-docker-client.ts';
import { pullImage } from '../../../lib/containers/docker/node-docker-pull.ts';
import type { Failure } from '../../../lib/failure.ts';
import { createCanaries } from '../../support/canaries.ts';
import { failureOf } from '../../support/upstream-fixture.ts';

const test = suite('one pull');
const image = 'registry.example/tool:1';
const nobody: FoundCredentials = { troubles: [] };

/** An engine that answers a pull with these events, or with a refusal, and what it was given with it. */
function engineWith(answer: readonly object[] | Error) {
  const given: object[] = [];
  const docker = {
    async pull(_image: string, options: object) {
      given.push(options);
      if (answer instanceof Error) throw answer;
      return Readable.from(answer.map((event) => Buffer.from(`${JSON.stringify(event)}\n`)));
    },
  } as unknown as Docker;
  const client: DockerClient = { run: () => Promise.reject(new Error()), open: (work) => work(docker) };
  const pull = (credentials = nobody) =>
    pullImage(client, { image, credentials }, () => {}, new AbortController().signal);
  return { pull, given };
}

test('an error that is the first thing told is about the image, one that comes later is about the pull', async () => {
  const error = { error: `${image}: not found` };

  const first = await failureOf(engineWith([error]).pull());
  const later = await failureOf(engineWith([{ status: 'Pulling from tool', id: '1' }, error]).pull());

  assert.match(first.message, 'was not found in its registry');
  assert.match(later.message, 'broke off midway');
});

test('credentials go along with the request, and without any there is no header at all', async () => {
  const { pull, given } = engineWith([{ status: 'Pulling from tool', id: '1' }]);
  const auth = { username: 'me', password: 'pass', serveraddress: 'registry.example' };

  await pull({ auth, source: 'a test', troubles: [] });
  await pull();

  assert.equal(
    given.map((options) => (options as { authconfig?: object }).authconfig),
    [auth, undefined],
  );
});

test('what a registry repeats of them is in no words of ours, the log’s included', async () => {
  const canaries = createCanaries();
  const password = canaries.make('password of a registry');
  const identitytoken = canaries.make('token of a registry');
  const pair = Buffer.from(`me:${password}`).toString('base64');
  const text = `denied: ${password}, ${pair}, ${identitytoken}`;

  for (const answer of [[{ error: text }], new Error(`(HTTP code 500) server error - ${text} `)]) {
    const { pull } = engineWith(answer);
    const byName = { username: 'me', password, serveraddress: 'registry.example' };
    const named = (await failureOf(pull({ auth: byName, source: 'a test', troubles: [] }))) as Failure;
    const byToken = { identitytoken, serveraddress: 'registry.example' };
    const token = (await failureOf(pull({ auth: byToken, source: 'a test', troubles: [] }))) as Failure;

    assert.equal(canaries.findIn(`${named.message} ${named.cause}`), ['token of a registry']);
    assert.equal(canaries.findIn(`${token.message} ${token.cause}`), ['password of a registry']);
    assert.match(String(named.cause), 'denied: ***, ***,');
  }
});

test.run();
