/**
 * Lists and calls of this version beside those of another one, A B A B: a change may cost 3 %. Both run all the while, each
 * on a database of its own, before the same upstreams. CPU is the steadier figure of the two on a shared machine.
 */
import { resolve } from 'node:path';
import { runService } from '../../tests/support/run-service.ts';
import { atLeast, atMost, type Figure, type Measurement, median } from '../figure.ts';
import { clientChannels, type Load, load } from '../mcpload.ts';
import { type Stage, serviceOptions, type Target, untilToolsReady } from '../stage.ts';

const rounds = 7;
const allowed = 0.03;

interface Version {
  readonly pid: () => number;
  readonly groupUrl: (group: string) => string;
}

/** @param checkout Folder of the other version, with its packages installed. */
export function againstVersion(checkout: string): Measurement {
  return {
    name: 'against',
    async measure(stage) {
      const other = await runService({ ...serviceOptions(stage), checkout: resolve(checkout) });
      try {
        await untilToolsReady(other, 20_000);
        return [
          ...(await compare(stage, other, 'tools/list', 'list', 'stdio')),
          ...(await compare(stage, other, 'tools/call over stdio', 'call', 'stdio')),
          ...(await compare(stage, other, 'tools/call over HTTP', 'call', 'http')),
        ];
      } finally {
        await other.remove();
      }
    },
  };
}

async function compare(
  stage: Stage,
  other: Version,
  name: string,
  phase: string,
  group: string,
): Promise<Figure[]> {
  const pairs: (readonly [before: Load, after: Load])[] = [];
  for (let round = 0; round < rounds; round += 1) {
    pairs.push([await loadOf(stage, other, phase, group), await loadOf(stage, stage.service, phase, group)]);
  }
  const rate = median(pairs.map(([before, after]) => after.rps / before.rps));
  const cpu = median(pairs.map(([before, after]) => cpuOf(after) / cpuOf(before)));
  const [were, are] = [
    median(pairs.map(([before]) => before.rps)),
    median(pairs.map(([, after]) => after.rps)),
  ];
  const note = `${Math.round(are)}/s against ${Math.round(were)}/s`;
  return [
    atLeast(`${name}, 16 callers, against that version`, rate, 1 - allowed, '', note),
    atMost(`CPU per ${name}, against that version`, cpu, 1 + allowed),
  ];
}

function loadOf(stage: Stage, version: Version, phase: string, group: string): Promise<Load> {
  const target: Target = { url: version.groupUrl(group), tool: `${group}__echo` };
  return load(stage, target, phase, { ...clientChannels(stage, 16), pid: version.pid() });
}

function cpuOf({ server_cpu_us_per_req: microseconds = Number.NaN }: Load): number {
  return microseconds;
}
