/** Opening and holding sessions, and the start of the service. */
import { performance } from 'node:perf_hooks';
import { atLeast, atMost, type Measurement, median } from '../figure.ts';
import { type Load, load, runPhase } from '../mcpload.ts';

export const setup: Measurement = {
  name: 'sessions',
  async measure(stage) {
    const rates: number[] = [];
    for (let round = 0; round < stage.rounds; round += 1) {
      const options = { 'setup-sessions': stage.isQuick ? 500 : 2_000, 'setup-conc': 16 };
      rates.push((await load(stage, stage.stdio, 'setup', options)).rps);
    }
    const note = stage.database === 'postgres' ? undefined : 'embedded database, not Postgres';
    return [
      atLeast('sessions per second with the row written, 16 at once', median(rates), 2_000, '/s', note),
    ];
  },
};

interface Idle extends Pick<Load, 'errors'> {
  readonly bytes_per_session: number;
}

export const idle: Measurement = {
  name: 'idle',
  async measure(stage) {
    // A service that was under load has a heap with room for the sessions: only a fresh one tells.
    await stage.service.restart();
    await stage.untilToolsReady();
    const options = { idle: 5_000, settle: stage.isQuick ? 2 : 5, pid: stage.service.pid() };
    const [held] = (await runPhase(stage, stage.stdio, 'idle', options)) as [Idle];
    if (held.errors > 0) throw new Error(`${held.errors} sessions could not be opened`);
    const kilobytes = held.bytes_per_session / 1024;
    return [atMost('memory per idle session, 5,000 held', kilobytes, 6, 'KB')];
  },
};

export const start: Measurement = {
  name: 'start',
  async measure(stage) {
    const times: number[] = [];
    for (let round = 0; round < stage.rounds; round += 1) {
      await stage.service.stop();
      const startedAt = performance.now();
      const started = stage.service.restart();
      await stage.untilToolsReady();
      times.push(performance.now() - startedAt);
      await started;
    }
    const note = `${stage.database}, database existing`;
    return [atMost('start to tools ready', median(times), 500, 'ms', note)];
  },
};
