/** What a server in a container wrote besides its protocol is shown however much protocol lies in between. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openContainerServices } from '../support/container-services.ts';
import { inlineServer } from '../support/inline-server.ts';
import { manage, replaceTools } from '../support/manager-api.ts';
import { openSession } from '../support/mcp-client.ts';
import { register } from '../support/provisioning.ts';
import type { RunningService } from '../support/run-service.ts';

const test = suite('logs of busy servers in containers');
const services = await openContainerServices();
const withEngine = services ? test : test.skip;
let service: RunningService;

test.before(async () => {
  if (services) service = await services.run();
});

test.after(() => services?.close());

async function linesOf(server: string, tail: number): Promise<string[]> {
  const { lines } = await manage(service, 'GET', `/api/servers/${server}/logs?tail=${tail}`);
  return lines;
}

withEngine('after 500 calls the last 50 lines are the last 50 of standard error', async () => {
  const server = services?.name('busy') ?? '';
  const atStart = `for (let i = 1; i <= 60; i++) console.error('line ' + i)`;
  const answer = await register(service, { name: server, ...inlineServer({ atStart }) });
  assert.is(answer.status, 201, JSON.stringify(answer.body));
  await replaceTools(service, 'svc-global', [`${server}__work`]);
  const session = await openSession(service.groupUrl());

  const params = { name: `${server}__work`, arguments: {} };
  for (let call = 0; call < 500; call++) {
    const { body } = await session.request('tools/call', params);
    assert.is(body.result?.content[0].text, `done ${call}`, JSON.stringify(body));
  }

  const expected = Array.from({ length: 50 }, (_, index) => `line ${index + 11}`);
  assert.equal(await linesOf(server, 50), expected);
});

test.run();
