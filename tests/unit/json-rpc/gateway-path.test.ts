import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { gatewayCapability, gatewayIdIn, passedOn, pathOf } from '../../../lib/json-rpc/gateway-path.ts';

const test = suite('the way of a tool through gateways');

test('begins with the first gateway that passes it on, and grows with each', () => {
  const definition = '{"name":"get","big":12345678901234567890}';

  const once = passedOn(definition, 'a');
  const twice = passedOn(once, 'b');

  assert.equal(pathOf(definition), []);
  assert.equal(pathOf(once), ['a']);
  assert.equal(pathOf(twice), ['a', 'b']);
  assert.match(twice, '"name":"get","big":12345678901234567890');
  assert.is(JSON.parse(twice).name, 'get');
});

test('leaves what a server says about its tool where it is', () => {
  for (const meta of ['{}', '{"a":1}', ' {"a":1, "b":{"c":[]}} ', 'null', '[1]', '"svc-mcp.gateways"']) {
    const once = passedOn(`{"name":"get","_meta":${meta}}`, 'a');
    const twice = passedOn(once, 'b');

    assert.equal(pathOf(twice), ['a', 'b'], meta);
    const { a, b } = JSON.parse(meta) ?? {};
    const { 'svc-mcp.gateways': _, ...rest } = JSON.parse(twice)._meta;
    assert.equal(rest, JSON.parse(JSON.stringify({ a, b })), meta);
  }
  assert.equal(pathOf(passedOn('{}', 'a')), ['a']);
});

test('that a server made up is no more than a list of names', () => {
  for (const path of ['1', 'null', '{"length":9}', '[1,null,["a"]]']) {
    assert.equal(pathOf(`{"name":"x","_meta":{"svc-mcp.gateways":${path}}}`), [], path);
  }
});

test('a gateway is known by its capability, and nobody else is', () => {
  assert.is(gatewayIdIn(JSON.parse(`{${gatewayCapability('a"b')}}`)), 'a"b');
  for (const capabilities of [
    {},
    { experimental: null },
    { experimental: { 'svc-mcp.gateway': { id: 1 } } },
  ]) {
    assert.is(gatewayIdIn(capabilities), undefined);
  }
});

test.run();
