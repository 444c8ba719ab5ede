/** Rolling updates in Docker Swarm, with agents that list and call all the time: nobody notices. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { notAnswered, startAgents, summary, type Tool } from '../proxies/agents.ts';
import { waitUntil } from '../support/wait-until.ts';
import { deploySwarm, type Swarm, swarmProblem } from './swarm.ts';

const test = suite('rolling updates in a swarm');
const problem = await swarmProblem();
const inSwarm = problem === undefined ? test : test.skip;
if (problem !== undefined) console.error(`the swarm is skipped: ${problem}`);
const updates = 3;
const agentCount = 16;
let swarm: Swarm | undefined;

const tools: readonly Tool[] = [
  {
    name: 'everything__echo',
    args: (message) => ({ message }),
    isAnswer: (text, id) => text === `Echo: ${id}`,
  },
  {
    name: 'everything__trigger-long-running-operation',
    args: () => ({ duration: 0.3, steps: 3 }),
    isAnswer: (text) => text.includes('completed'),
  },
];

test.before(async () => {
  if (problem === undefined) swarm = await deploySwarm();
});

test.after(() => swarm?.remove());

inSwarm('three of them fail no call, lose no session, and hide no tool', async () => {
  const { gatewayUrl, update } = swarm as Swarm;
  const url = `${gatewayUrl}/v0/groups/svc-global/mcp`;
  const agents = await waitUntil(
    'agents find the tools, and the manager behind them',
    async () => {
      const found = await startAgents({ url, count: agentCount, tools });
      await waitUntil('lists and calls are there', () =>
        [found.lists, found.calls].every(({ length }) => length >= 2 * agentCount),
      );
      if (notAnswered([...found.lists, ...found.calls]).length === 0) return found;
      await found.stop();
      await found.close();
      return undefined;
    },
    { limitMs: 180_000, everyMs: 1_000 },
  );
  try {
    for (let turn = 1; turn <= updates; turn += 1) {
      const begunAt = performance.now();
      await update('gateway', '--force', '--env-add', `UPDATE=${turn}`);
      const seconds = Math.round((performance.now() - begunAt) / 1000);
      console.log(
        `\nupdate ${turn} in ${seconds} s; calls: ${summary(agents.calls)}; lists: ${summary(agents.lists)}`,
      );
    }
    await agents.stop();

    assert.equal(notAnswered([...agents.calls, ...agents.lists]), []);
    assert.equal(await agents.lostSessions(), []);
  } finally {
    await agents.close();
  }
});

test.run();
