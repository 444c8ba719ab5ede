import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  clientConfiguration,
  clientNames,
  groupEndpoint,
} from '../../../lib/clients/client-configuration.ts';

const test = suite('configurations for agents');

test('the endpoint of a group stands on the base address, with or without a slash at its end', () => {
  const endpoint = 'https://mcp.example/base/v0/groups/ops/mcp';

  assert.is(groupEndpoint('https://mcp.example/base', 'ops'), endpoint);
  assert.is(groupEndpoint('https://mcp.example/base/', 'ops'), endpoint);
});

test('each has a label, and says in its sentence where its file is', () => {
  const target = { group: 'ops', endpoint: 'https://mcp.example/mcp', needsToken: false };

  for (const name of clientNames) {
    const { label, file, where, text } = clientConfiguration(name, target);
    assert.ok(label.length > 0);
    assert.match(text, target.endpoint);
    if (file !== undefined) assert.ok(where.includes(file), `${name}: ${where}`);
    else assert.match(where, /^Run /);
  }
});

test('Claude Desktop is allowed plain HTTP to a gateway on another machine only', () => {
  const textFor = (endpoint: string) =>
    clientConfiguration('claude-desktop', { group: 'ops', endpoint, needsToken: false }).text;

  assert.match(textFor('http://box:3700/mcp'), '--allow-http');
  assert.not.match(textFor('http://127.0.0.1:3700/mcp'), '--allow-http');
  assert.not.match(textFor('https://mcp.example/mcp'), '--allow-http');
});

test.run();
