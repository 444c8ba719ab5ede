/** Progress in order on the call's own stream, and large arguments and results. */

import { openSession } from '../../tests/support/mcp-client.ts';
import { atLeast, type Figure, type Measurement } from '../figure.ts';
import { type Load, runPhase } from '../mcpload.ts';
import type { Stage, Target } from '../stage.ts';

const steps = 5;
const megabyte = 1_048_576;

export const progress: Measurement = {
  name: 'progress',
  async measure(stage) {
    const figures: Figure[] = [];
    for (const [server, target] of [
      ['stdio', stage.stdio],
      ['HTTP', stage.http],
    ] as const) {
      const seen = await callWithProgress(target);
      const wanted = [...Array.from({ length: steps }, (_, index) => index + 1), 'result'];
      const holds = JSON.stringify(seen) === JSON.stringify(wanted);
      const name = `progress over ${server}, in order, before the result`;
      const count = seen.filter((one) => one !== 'result').length;
      figures.push({ name, ours: `${count} of ${steps}`, target: '5 of 5', holds, note: seen.join(' ') });
    }
    return figures;
  },
};

export const large: Measurement = {
  name: 'large',
  async measure(stage) {
    const options = { sizes: megabyte, sessions: 4, duration: stage.seconds };
    const phases = (await runPhase(stage, stage.stdio, 'sizes', options)) as Record<string, Load>;
    const load = phases[megabyte];
    if (!load || load.errors > 0) throw new Error(`1 MB: ${JSON.stringify(load?.error_kinds)}`);
    const status = await sendOverTheLimit(stage);
    const refused = { ours: String(status), target: '413', holds: status === 413 };
    return [
      atLeast('1 MB argument and result, 4 callers', load.rps, 40, '/s'),
      { name: 'a body over the limit', ...refused },
    ];
  },
};

/** What came on the call's stream, in order: the progress values and, for the answer, `result`. */
async function callWithProgress(target: Target): Promise<(number | 'result')[]> {
  const session = await openSession(target.url);
  const params = {
    name: target.tool.replace('__echo', '__progress_echo'),
    arguments: { text: 'x', steps },
    _meta: { progressToken: 'bench' },
  };
  const answer = await fetch(target.url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-session-id': session.id,
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  });
  const events = (await answer.text()).split('\n').filter((line) => line.startsWith('data:'));
  await session.delete();
  return events.map((line) => {
    const message = JSON.parse(line.slice(5)) as { params?: { progress: number } };
    return message.params ? message.params.progress : 'result';
  });
}

async function sendOverTheLimit(stage: Stage): Promise<number> {
  const session = await openSession(stage.stdio.url);
  const answer = await session.request('tools/call', {
    name: stage.stdio.tool,
    arguments: { text: 'x'.repeat(5 * megabyte) },
  });
  await session.delete();
  return answer.status;
}
