import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { type CallRecords, createCallRecords } from './call-records.ts';
import type { Metrics } from './metrics.ts';

/** Values that are measured at the time of a request for metrics instead of being counted. */
export interface Gauges {
  readonly sessions: () => number;
  readonly streams: () => number;
  readonly callsInFlight: () => number;
}

const secondsBuckets = [0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10, 60];

/** Metrics for Prometheus. Label values are names that an operator chose, never client input. */
export function createMetrics(gauges: Gauges, records: CallRecords = createCallRecords()): Metrics {
  const register = new Registry();
  collectDefaultMetrics({ register });
  const registers = [register];
  const calls = new Counter({
    name: 'svc_mcp_calls_total',
    help: 'Relayed tool calls by server and outcome.',
    labelNames: ['server', 'outcome'],
    registers,
  });
  const tries = new Counter({
    name: 'svc_mcp_tries_total',
    help: 'Tool calls that somebody tried on the manager, which no agent made, by server and outcome.',
    labelNames: ['server', 'outcome'],
    registers,
  });
  const seconds = new Histogram({
    name: 'svc_mcp_call_seconds',
    help: 'Time a relayed tool call took, server included.',
    labelNames: ['server'],
    buckets: secondsBuckets,
    registers,
  });
  const repairs = new Counter({
    name: 'svc_mcp_container_repairs_total',
    help: 'Containers put right without an operator, by kind.',
    labelNames: ['kind'],
    registers,
  });
  const gauge = (name: string, help: string, read: () => number) =>
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(read());
      },
    });
  gauge('svc_mcp_sessions_cached', 'Sessions this process holds in memory.', gauges.sessions);
  gauge('svc_mcp_event_streams', 'Open GET event streams.', gauges.streams);
  gauge('svc_mcp_calls_in_flight', 'Requests under way.', gauges.callsInFlight);

  return {
    countCall(server, tool, outcome, milliseconds) {
      calls.inc({ server, outcome });
      seconds.observe({ server }, milliseconds / 1000);
      records.add(server, tool, outcome, milliseconds);
    },
    countTry(server, tool, outcome, milliseconds) {
      tries.inc({ server, outcome });
      records.addTry(server, tool, outcome, milliseconds);
    },
    countRepair: (kind) => repairs.inc({ kind }),
    render: () => register.metrics(),
  };
}
