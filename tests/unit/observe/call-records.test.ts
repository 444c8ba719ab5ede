import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createCallRecords } from '../../../lib/observe/call-records.ts';
import { createMetrics } from '../../../lib/observe/node-metrics.ts';

const test = suite('call records and metrics');

test('the last calls come newest first, with their time', () => {
  let time = 100;
  const records = createCallRecords(() => time++);
  records.add('demo', 'echo', 'ok', 5);
  records.add('demo', 'add', 'tool_error', 7);

  assert.equal(records.read('demo'), {
    total: 2,
    failed: 1,
    recent: [
      { at: 101, tool: 'add', outcome: 'tool_error', milliseconds: 7 },
      { at: 100, tool: 'echo', outcome: 'ok', milliseconds: 5 },
    ],
  });
});

test('twenty calls are kept, all are counted', () => {
  const records = createCallRecords(() => 0);
  for (let call = 1; call <= 47; call++) records.add('demo', `tool-${call}`, 'ok', call);

  const { total, recent } = records.read('demo');

  assert.is(total, 47);
  assert.equal(
    recent.map(({ tool }) => tool),
    Array.from({ length: 20 }, (_, index) => `tool-${47 - index}`),
  );
});

test('a call that its client cancelled has not failed', () => {
  const records = createCallRecords();
  for (const outcome of ['ok', 'cancelled', 'rpc_error', 'upstream_timeout'])
    records.add('demo', 't', outcome, 1);

  assert.is(records.read('demo').failed, 2);
});

test('a try is among the last calls, marked, and in no count', () => {
  let time = 0;
  const records = createCallRecords(() => time++);
  records.add('demo', 'echo', 'ok', 1);
  records.addTry('demo', 'echo', 'tool_error', 2);
  records.addTry('fresh', 'echo', 'ok', 3);

  assert.equal(records.read('demo'), {
    total: 1,
    failed: 0,
    recent: [
      { at: 1, tool: 'echo', outcome: 'tool_error', milliseconds: 2, tried: true },
      { at: 0, tool: 'echo', outcome: 'ok', milliseconds: 1 },
    ],
  });
  assert.is(records.read('fresh').total, 0);
  assert.is(records.read('fresh').recent.length, 1);
});

test('tries and calls share the twenty places, in their order', () => {
  const records = createCallRecords(() => 0);
  for (let at = 1; at <= 33; at++) records[at % 3 === 0 ? 'addTry' : 'add']('demo', `tool-${at}`, 'ok', at);

  const { total, recent } = records.read('demo');

  assert.is(total, 22);
  assert.equal(
    recent.map(({ tool }) => tool),
    Array.from({ length: 20 }, (_, index) => `tool-${33 - index}`),
  );
});

test('servers are counted apart, an unknown one is empty', () => {
  const records = createCallRecords();
  records.add('one', 't', 'ok', 1);

  assert.is(records.read('one').total, 1);
  assert.equal(records.read('two'), { total: 0, failed: 0, recent: [] });
});

test('Prometheus sees calls by server and outcome, and the gauges as they are now', async () => {
  let sessions = 3;
  const metrics = createMetrics({ sessions: () => sessions, streams: () => 0, callsInFlight: () => 1 });
  metrics.countCall('demo', 'echo', 'ok', 3);
  metrics.countCall('demo', 'echo', 'ok', 3);
  metrics.countCall('demo', 'add', 'rpc_error', 30);
  sessions = 5;

  const text = await metrics.render();

  assert.match(text, 'svc_mcp_calls_total{server="demo",outcome="ok"} 2');
  assert.match(text, 'svc_mcp_calls_total{server="demo",outcome="rpc_error"} 1');
  assert.match(text, 'svc_mcp_call_seconds_bucket{le="0.005",server="demo"} 2');
  assert.match(text, 'svc_mcp_sessions_cached 5');
  assert.match(text, 'svc_mcp_calls_in_flight 1');
  assert.not.match(text, 'echo');
});

test('Prometheus sees tries apart from the calls of agents', async () => {
  const metrics = createMetrics({ sessions: () => 0, streams: () => 0, callsInFlight: () => 0 });
  metrics.countTry('demo', 'echo', 'ok', 3);

  const text = await metrics.render();

  assert.match(text, 'svc_mcp_tries_total{server="demo",outcome="ok"} 1');
  assert.not.match(text, /svc_mcp_call(s_total|_seconds_\w+)\{[^}]*server="demo"/);
});

test('two sets of metrics do not meet', async () => {
  const gauges = { sessions: () => 0, streams: () => 0, callsInFlight: () => 0 };
  createMetrics(gauges).countCall('demo', 'echo', 'ok', 3);

  assert.not.match(await createMetrics(gauges).render(), 'server="demo"');
});

test.run();
