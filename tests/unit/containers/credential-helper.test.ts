import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createAskHelper } from '../../../lib/containers/credentials/node-credential-helper.ts';
import { dockerConfigCredentials } from '../../../lib/containers/credentials/node-docker-config.ts';
import { createRegistryCredentials } from '../../../lib/containers/credentials/registry-credentials.ts';
import { createCanaries } from '../../support/canaries.ts';

const test = suite('credential helpers');

const folder = mkdtempSync(join(tmpdir(), 'svc-helpers-'));
const environment = { PATH: `${folder}:${process.env.PATH}`, ADMIN_TOKEN: 'ours', DOCKER_MARK: 'kept' };
const ask = createAskHelper(environment, 5_000);
const canaries = createCanaries();
test.after(() => rmSync(folder, { recursive: true, force: true }));

/** A helper `name` that is a shell script. */
function helper(name: string, script: string): string {
  const path = join(folder, `docker-credential-${name}`);
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
  return name;
}

async function messageOf(asking: Promise<unknown>): Promise<string> {
  const outcome = await asking.then(
    (answer) => `it answered: ${JSON.stringify(answer)}`,
    (error: Error) => error.message,
  );
  return outcome;
}

test('one is told the registry on its standard input, and answers with name and password', async () => {
  const seen = join(folder, 'seen');
  helper(
    'good',
    `echo "$1 $(cat) $ADMIN_TOKEN $DOCKER_MARK" >> ${seen}; echo '{"Username":"me","Secret":"s3"}'`,
  );

  assert.equal(await ask('good', 'one.example:5000'), {
    username: 'me',
    password: 's3',
    serveraddress: 'one.example:5000',
  });
  await ask('good', 'docker.io');
  assert.is(
    readFileSync(seen, 'utf8'),
    'get one.example:5000  kept\nget https://index.docker.io/v1/  kept\n',
  );
});

test('a user named <token> has an identity token', async () => {
  helper('token', `echo '{"Username":"<token>","Secret":"refresh"}'`);

  assert.equal(await ask('token', 'one.example'), {
    identitytoken: 'refresh',
    serveraddress: 'one.example',
  });
});

test('one that does not know the registry is no trouble', async () => {
  helper('empty', 'echo credentials not found in native keychain; exit 1');

  assert.is(await ask('empty', 'one.example'), undefined);
});

test('one that fails is told of, and what it printed is not', async () => {
  const secret = canaries.make('printed by a helper that fails');
  helper('fails', `echo ${secret}; echo ${secret} >&2; exit 3`);
  helper('babbles', `echo ${secret}`);
  helper('floods', `yes ${secret}`);
  helper('empty-answer', 'true');

  const messages = [
    await messageOf(ask('fails', 'one.example')),
    await messageOf(ask('babbles', 'one.example')),
    await messageOf(ask('floods', 'one.example')),
    await messageOf(ask('empty-answer', 'one.example')),
    await messageOf(ask('not-there', 'one.example')),
  ];

  assert.equal(messages, [
    'The credential helper `docker-credential-fails` failed with exit code 3.',
    'The credential helper `docker-credential-babbles` answered with something else.',
    'The credential helper `docker-credential-floods` answered with more than 64 KiB.',
    'The credential helper `docker-credential-empty-answer` answered with something else.',
    'The credential helper `docker-credential-not-there` is not installed where this service runs.',
  ]);
});

test('one that hangs is ended, with what it started', async () => {
  helper('hangs', 'sleep 60');

  const message = await messageOf(createAskHelper(environment, 200)('hangs', 'one.example'));

  assert.match(message, '`docker-credential-hangs` did not answer within');
});

test('a name that could be a path is never run', async () => {
  mkdirSync(join(folder, 'docker-credential-x'));
  writeFileSync(join(folder, 'evil'), `#!/bin/sh\ntouch ${join(folder, 'ran')}\n`, { mode: 0o755 });

  for (const name of ['x/../evil', '../evil', 'a b', '', '$(evil)', 'a\0b']) {
    assert.match(await messageOf(ask(name, 'one.example')), 'cannot be one');
  }
  assert.throws(() => readFileSync(join(folder, 'ran')));
});

test('the file is read anew each time, also behind a link', async () => {
  const file = join(folder, 'real.json');
  const link = join(folder, 'config.json');
  symlinkSync(file, link);
  const { find } = createRegistryCredentials([dockerConfigCredentials(link, ask)]);
  const write = (content: object) => writeFileSync(file, JSON.stringify(content));

  assert.equal(await find('one.example/x'), { troubles: [] });
  write({ auths: { 'one.example': { username: 'me', password: 'first' } } });
  assert.is((await find('one.example/x')).auth?.password, 'first');
  assert.is((await find('one.example/x')).source, 'docker’s configuration file');
  write({ credHelpers: { 'one.example': 'good' } });
  assert.is((await find('one.example/x')).auth?.password, 's3');
  assert.is((await find('one.example/x')).source, '`docker-credential-good`');
  write({ credsStore: 'fails' });
  assert.equal((await find('one.example/x')).troubles, [
    'The credential helper `docker-credential-fails` failed with exit code 3.',
  ]);
  write({ credsStore: 'fails', auths: { 'one.example': { username: 'me', password: 'kept' } } });
  assert.is((await find('one.example/x')).auth?.password, 'kept');
  writeFileSync(file, '{ "auths": ');
  assert.equal((await find('one.example/x')).troubles, [
    'Docker’s configuration file cannot be used. It is not a JSON object.',
  ]);
});

test.run();
