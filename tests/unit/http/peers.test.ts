import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createRefusedPeers } from '../../../lib/http/node-peers.ts';

const test = suite('refused peers');

test('nobody is refused before a network is shared', () => {
  assert.not.ok(createRefusedPeers().has('172.18.0.5'));
});

test('everybody of a shared network is refused, except what comes through its gateway', () => {
  const peers = createRefusedPeers();

  peers.add({ subnet: '172.18.0.0/16', gateway: '172.18.0.1' });

  assert.ok(peers.has('172.18.0.5'));
  assert.ok(peers.has('172.18.255.254'));
  assert.not.ok(peers.has('172.18.0.1'));
  assert.not.ok(peers.has('172.19.0.5'));
  assert.not.ok(peers.has('127.0.0.1'));
});

test('an address is known in the form that a listener for both families shows', () => {
  const peers = createRefusedPeers();

  peers.add({ subnet: '172.18.0.0/16', gateway: '172.18.0.1' });

  assert.ok(peers.has('::ffff:172.18.0.5'));
  assert.not.ok(peers.has('::ffff:172.18.0.1'));
});

test('a network of the other family is added beside it', () => {
  const peers = createRefusedPeers();

  peers.add({ subnet: '172.18.0.0/16', gateway: '172.18.0.1' });
  peers.add({ subnet: 'fd00:1::/64', gateway: 'fd00:1::1' });

  assert.ok(peers.has('fd00:1::5'));
  assert.not.ok(peers.has('fd00:1::1'));
  assert.ok(peers.has('172.18.0.5'));
});

test('a network without a gateway has nobody who is heard, and a connection that is gone is nobody', () => {
  const peers = createRefusedPeers();

  peers.add({ subnet: '10.1.0.0/24', gateway: undefined });

  assert.ok(peers.has('10.1.0.1'));
  assert.not.ok(peers.has(undefined));
});

test.run();
