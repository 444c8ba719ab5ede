import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { parseDockerConfig } from '../../../lib/containers/credentials/node-docker-config.ts';

const test = suite('docker’s configuration file');

const base64 = (text: string) => Buffer.from(text).toString('base64');
const config = (content: object) => {
  const read = parseDockerConfig(JSON.stringify(content));
  if (read === undefined) throw new Error('it was not read');
  return read;
};

test('credentials stand there as name and password, in base64 or open, or as a token', () => {
  const { authOf } = config({
    auths: {
      'one.example': { auth: base64('me:pass:with:colons') },
      'two.example': { username: 'me', password: 'open' },
      'three.example': { auth: base64('me:ignored'), identitytoken: 'refresh' },
      'four.example': { registrytoken: 'bearer' },
      'five.example:5000': { auth: base64('ünï:pässword\0') },
    },
  });

  const at = (serveraddress: string, rest: object) => ({ ...rest, serveraddress });
  assert.equal(authOf('one.example'), at('one.example', { username: 'me', password: 'pass:with:colons' }));
  assert.equal(authOf('two.example'), at('two.example', { username: 'me', password: 'open' }));
  assert.equal(authOf('three.example'), at('three.example', { identitytoken: 'refresh' }));
  assert.equal(authOf('four.example'), at('four.example', { registrytoken: 'bearer' }));
  assert.equal(
    authOf('five.example:5000'),
    at('five.example:5000', { username: 'ünï', password: 'pässword' }),
  );
});

test('Docker Hub is found under each of its names, and is asked for under the one that docker uses', () => {
  for (const name of [
    'https://index.docker.io/v1/',
    'docker.io',
    'registry-1.docker.io',
    'index.docker.io',
  ]) {
    assert.equal(config({ auths: { [name]: { auth: base64('me:hub') } } }).authOf('docker.io'), {
      username: 'me',
      password: 'hub',
      serveraddress: 'https://index.docker.io/v1/',
    });
  }
});

test('a registry may be written with a scheme and a path; another port or a longer name is another registry', () => {
  const { authOf } = config({ auths: { 'https://Registry.example:5000/v2/': { auth: base64('me:x') } } });

  assert.is(authOf('registry.example:5000')?.password, 'x');
  for (const other of ['registry.example', 'registry.example:5001', 'a.registry.example:5000', 'docker.io']) {
    assert.is(authOf(other), undefined, other);
  }
});

test('the entry that is written as docker writes it wins', () => {
  const { authOf } = config({
    auths: {
      'https://one.example/v1/': { auth: base64('me:old') },
      'one.example': { auth: base64('me:new') },
    },
  });

  assert.is(authOf('one.example')?.password, 'new');
});

test('a registry’s own helper comes before the one for all', () => {
  const { helperOf } = config({ credHelpers: { 'one.example': 'gcloud' }, credsStore: 'desktop' });

  assert.is(helperOf('one.example'), 'gcloud');
  assert.is(helperOf('two.example'), 'desktop');
  assert.is(config({}).helperOf('one.example'), undefined);
});

test('what is not as it should be is no credential', () => {
  for (const auth of [
    {},
    { auth: 'no base64 !' },
    { auth: base64('no colon') },
    { auth: 7 },
    null,
    'text',
    [],
  ]) {
    assert.is(config({ auths: { 'one.example': auth } }).authOf('one.example'), undefined);
  }
  assert.is(config({ auths: [], credHelpers: 'x', credsStore: 7 }).helperOf('one.example'), undefined);
  assert.is(parseDockerConfig('')?.authOf('one.example'), undefined);
  for (const text of ['{', '[]', 'null', '"x"']) assert.is(parseDockerConfig(text), undefined);
});

test.run();
