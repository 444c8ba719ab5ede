import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { parseServerConfig } from '../../../lib/config/parse-server-config.ts';
import { toReference } from '../../../lib/config/references.ts';
import { originOf } from '../../../lib/config/server-origin.ts';

const test = suite('the origin of a server');

const at = (url: string) => originOf(parseServerConfig({ name: 'x', transport: 'streamable_http', url }));
const image = (image: string, more = {}) =>
  originOf(parseServerConfig({ name: 'x', transport: 'stdio', image, ...more }));
const [ONE, OTHER] = [toReference('ONE'), toReference('OTHER')];

test('of an address is its scheme, host and port', () => {
  for (const same of [
    'https://A.example/other?b=1',
    'https://a.example:443',
    'https:///a.example/x',
    `https://a.example/${ONE}?k=${OTHER}`,
  ]) {
    assert.is(at(same), at('https://a.example/mcp'), same);
  }
  for (const other of [
    'http://a.example/mcp',
    'https://a.example:8443/mcp',
    'https://b.example/mcp',
    'https:///b.example/mcp',
    'https://a.example.evil.example/mcp',
    'https://evil.example\\.a.example/mcp',
    `https://${ONE}/mcp`,
    `https://${ONE}.a.example/mcp`,
    `https://a.example:${ONE}/mcp`,
  ]) {
    assert.is.not(at(other), at('https://a.example/mcp'), other);
  }
});

test('of an address with references in it has them by name', () => {
  assert.is(at(`https://${ONE}/a?k=${OTHER}`), at(`https://${ONE}/b`));
  assert.is.not(at(`https://${ONE}/`), at(`https://${OTHER}/`));
  assert.is.not(at(`https://${ONE}.example/`), at(`https://${OTHER}.example/`));
  assert.is.not(at(`https://reference-0-/`), at(`https://${ONE}/`));
});

test('of an image is its repository, whatever the tag, and what is run in it', () => {
  for (const same of [
    'mcp/time:2',
    'mcp/time',
    'docker.io/mcp/time:1',
    `mcp/time@sha256:${'a'.repeat(64)}`,
  ]) {
    assert.is(image(same), image('mcp/time:1'), same);
  }
  for (const other of [
    'mcp/times:1',
    'evil/time:1',
    'registry.example/mcp/time:1',
    'registry.example:5000/mcp/time',
    'library/mcp/time',
    'docker.io/library/mcp/time',
  ]) {
    assert.is.not(image(other), image('mcp/time:1'), other);
  }
  assert.is(image('docker.io/library/alpine'), image('alpine:3'));
  assert.is.not(image('docker.io/ghcr.io/a/b'), image('ghcr.io/a/b'));
  assert.is.not(image('docker.io/localhost/b'), image('localhost/b'));
  assert.is.not(image('mcp/time:1', { args: ['sh'] }), image('mcp/time:1'));
  assert.is.not(image('mcp/time:1', { command: 'sh' }), image('mcp/time:1'));
  assert.is.not(
    image('mcp/time:1', { command: 'a', args: ['b'] }),
    image('mcp/time:1', { args: ['a', 'b'] }),
  );
});

test('of a program is the program and its arguments, and not its environment', () => {
  const program = (more: object) =>
    originOf(parseServerConfig({ name: 'x', transport: 'stdio', command: 'node', args: ['a b'], ...more }));

  assert.is(program({ env: { A: '1' }, cwd: '/tmp' }), program({}));
  assert.is.not(program({ args: ['a', 'b'] }), program({}));
  assert.is.not(program({ command: 'deno' }), program({}));
});

test.run();
