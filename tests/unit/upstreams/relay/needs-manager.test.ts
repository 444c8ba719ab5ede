import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { parseServerConfig } from '../../../../lib/config/parse-server-config.ts';
import { withoutLiterals } from '../../../../lib/config/secret-literals.ts';
import { createNeedsManager } from '../../../../lib/upstreams/relay/needs-manager.ts';

const test = suite('what a process without folders lacks');

const url = 'https://tools.example/mcp';

/** As the database has it. */
function needs(fields: object, hasSecrets = false): boolean {
  const config = withoutLiterals(parseServerConfig({ name: 'demo', ...fields }));
  return createNeedsManager({ hasSecrets })(config);
}

test('a program runs at a manager, with or without secrets', () => {
  assert.ok(needs({ command: 'npx' }));
  assert.ok(needs({ command: 'npx' }, true));
});

test('an address is reached directly', () => {
  assert.not(needs({ url }));
  assert.not(needs({ url: `${url}?` }));
});

test('a server with a connection for each session has it at a manager, so that it is one', () => {
  assert.ok(needs({ url, session_mode: 'stateful' }, true));
});

test('an address that wants a secret goes through a manager, unless the secrets are here', () => {
  for (const fields of [
    { url: `${url}?key=\${KEY}` },
    { url, headers: { 'X-Key': `\${KEY}` } },
    { url, bearer_token: `\${KEY}` },
  ]) {
    assert.ok(needs(fields), JSON.stringify(fields));
    assert.not(needs(fields, true), JSON.stringify(fields));
  }
});

test('a value that stands in the file only, and is empty in the database, is at a manager, whatever secrets are here', () => {
  for (const fields of [
    { url, headers: { 'X-Key': 'a literal' } },
    { url: `${url}?key=literal` },
    { url, bearer_token: 'literal' },
  ]) {
    assert.ok(needs(fields), JSON.stringify(fields));
    assert.ok(needs(fields, true), JSON.stringify(fields));
  }
});

test.run();
