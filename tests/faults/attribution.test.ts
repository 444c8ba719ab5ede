/**
 * Questions and log messages of servers that two agents in two groups use at once: in time, late, and of cancelled calls,
 * over many rounds. None may reach the agent that it is not of; those that are certainly an agent's own must reach it.
 */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type AnsweringClient, connectAnsweringClient, type Told } from '../support/answering-client.ts';
import { switchTool, toolsOf } from '../support/manager-api.ts';
import { type RunningService, runService } from '../support/run-service.ts';
import { configFiles, latePath, stdioConfig } from '../support/test-servers.ts';
import { type ListeningServer, lateServerPath, startListening } from '../support/upstream-fixture.ts';
import { waitUntil } from '../support/wait-until.ts';

const test = suite('questions and logs of two agents, late and of cancelled calls');
const rounds = 200;
const atOnce = 10;
const servers = ['shared', 'full', 'logging', 'web'] as const;
let http: ListeningServer;
let service: RunningService;
let ann: Agent;
let bob: Agent;

interface Agent {
  readonly name: string;
  readonly client: AnsweringClient;
  call(server: string, tool: string, args: object): Promise<string>;
  /** A call that leaves something behind, given up once the server works on it. */
  giveUp(server: string, mark: string): Promise<void>;
}

test.before(async () => {
  http = await startListening(lateServerPath);
  service = await runService({
    configs: configFiles(
      stdioConfig('shared', [latePath]),
      // One of the two has a connection to itself at most; the other's questions can hardly ever be attributed.
      stdioConfig('full', [latePath], { limits: { sessions: 1 } }),
      stdioConfig('logging', [latePath, '--mute']),
      { name: 'web', transport: 'streamable_http', url: `http://127.0.0.1:${http.port}/mcp` },
    ),
    groups: Object.fromEntries(
      ['red', 'blue'].map((name) => [name, { name, included_tools: [], included_servers: servers }]),
    ),
  });
  for (const server of servers) {
    await waitUntil(`${server} is listed`, async () => (await toolsOf(service, server)).length > 0);
  }
  [ann, bob] = await Promise.all([connect('ann', 'red'), connect('bob', 'blue')]);
});

test.after(async () => {
  for (const agent of [ann, bob]) await agent?.client.close();
  await service?.remove();
  await http?.kill();
});

/** The client's one signal would gather a listener for each of thousands of requests, until they are collected. */
function withoutSignal(url: string | URL, init: RequestInit = {}): Promise<Response> {
  return fetch(url, init.method === 'POST' ? { ...init, signal: null } : init);
}

async function connect(name: string, group: string): Promise<Agent> {
  const client = await connectAnsweringClient(service.groupUrl(group), {
    fetch: withoutSignal,
    // The streams of calls that are given up end without an answer.
    maxRetries: 0,
  });
  await client.client.setLoggingLevel('debug');
  return {
    name,
    client,
    call: (server, tool, args) => client.call(`${server}__${tool}`, args),
    async giveUp(server, mark) {
      const controller = new AbortController();
      const call = client.client.callTool(
        { name: `${server}__leave`, arguments: { mark, hangs: true } },
        undefined,
        { signal: controller.signal, onprogress: () => controller.abort('given up') },
      );
      await call.then(
        () => assert.unreachable('it was answered'),
        () => {},
      );
    },
  };
}

/** One leaves something behind, in a call that ends or that it gives up; then the other calls, or both do at once. */
async function playRound(server: string, round: number): Promise<void> {
  const [leaver, other] = round % 2 === 0 ? [ann, bob] : [bob, ann];
  const mark = (agent: Agent, what: string) => `${agent.name} ${server} ${round} ${what}`;
  if (round % 4 < 2) await leaver.call(server, 'leave', { mark: mark(leaver, 'late') });
  else await leaver.giveUp(server, mark(leaver, 'given up'));
  const settle = (agent: Agent) => agent.call(server, 'settle', { mark: mark(agent, 'in time') });
  if (round % 3 === 0) await settle(other);
  else await Promise.all([settle(other), settle(leaver)]);
}

/** Which are of the other agent, and how many there are of each server and kind. */
function judge({ name, client }: Agent) {
  const asked = client.asked.map(({ params }) => params.message.replace(/^\[.*\] /, ''));
  const isLog = ({ method }: Told) => method === 'notifications/message';
  const logged = client.told.filter(isLog).map(({ params }) => params.data);
  const count = (marks: readonly string[], server: string, what: string) =>
    marks.filter((mark) => mark.startsWith(`${name} ${server} `) && mark.endsWith(what)).length;
  return {
    wrong: [...asked, ...logged].filter((mark) => !mark.startsWith(`${name} `)),
    asked: (server: string, what: string) => count(asked, server, what),
    logged: (server: string, what: string) => count(logged, server, what),
  };
}

/** What was sent on their streams before has arrived then. */
async function flushStreams(): Promise<void> {
  const listChanged = ({ method }: Told) => method === 'notifications/tools/list_changed';
  const counts = () => [ann, bob].map(({ client }) => client.told.filter(listChanged).length);
  const before = counts();
  for (const group of ['red', 'blue']) await switchTool(service, group, 'shared__pid', false);
  await waitUntil('both hear of it', () => counts().every((count, at) => count > (before[at] ?? 0)));
}

test(`${rounds} rounds: 0 to the wrong session, and what is certain arrives`, async () => {
  for (let round = 0; round < rounds; round += atOnce) {
    const some = Array.from({ length: atOnce }, (_, more) => round + more);
    await Promise.all(some.flatMap((one) => servers.map((server) => playRound(server, one))));
  }
  await flushStreams();

  const [ofAnn, ofBob] = [judge(ann), judge(bob)];
  assert.equal([ofAnn.wrong, ofBob.wrong], [[], []]);
  for (const of of [ofAnn, ofBob]) {
    // In every round but those where the other called alone, and the first ones, which showed that this server asks.
    for (const server of ['shared', 'web']) {
      assert.ok(of.asked(server, 'in time') >= 130, `${server}: ${of.asked(server, 'in time')}`);
      assert.ok(of.logged(server, 'in time') >= 130, `${server}: ${of.logged(server, 'in time')}`);
      assert.ok(of.asked(server, 'late') >= 30, `${server}: ${of.asked(server, 'late')}`);
      assert.ok(of.asked(server, 'given up') >= 30, `${server}: ${of.asked(server, 'given up')}`);
    }
    assert.is(of.logged('logging', ''), 0);
  }
});

test.run();
