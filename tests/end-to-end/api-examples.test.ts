/** Every example of the OpenAPI document but those of servers from images, which `container-examples.test.ts` sends. */
import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { gatewayEndpoints } from '../../handlers/gateway/gateway-endpoints.ts';
import { managerEndpoints } from '../../handlers/manager/endpoints.ts';
import { imageEndpoints } from '../../handlers/manager/images/image-endpoints.ts';
import { createExampleSender, type ExampleSender, examplesOf } from '../support/api-examples.ts';
import { type RunningService, runService } from '../support/run-service.ts';
import { type ServerProcess, startEverything } from '../support/test-servers.ts';

const test = suite('examples of the API');
const examples = examplesOf({ ...managerEndpoints, ...gatewayEndpoints }).filter(
  ({ endpoint }) => !(endpoint in imageEndpoints),
);
let service: RunningService;
let web: ServerProcess;
let sender: ExampleSender;

const read = (path: string) => JSON.parse(readFileSync(path, 'utf8'));

test.before(async () => {
  web = await startEverything('streamableHttp');
  service = await runService({
    configs: { everything: read('configs/everything.json'), filesystem: read('configs/filesystem.json') },
    groups: { 'svc-global': read('groups/svc-global.json') },
    env: { DOCKER_HOST: 'unix:///nowhere.sock' },
  });
  const stands = new Map([
    ['http://127.0.0.1:9000/mcp', `http://127.0.0.1:${web.port}/mcp`],
    ['http://127.0.0.1:3700', service.gatewayUrl],
    ['http://127.0.0.1:3701', service.managerUrl],
  ]);
  sender = createExampleSender({ manager: service.managerUrl, gateway: service.gatewayUrl }, stands);
});

test.after(async () => {
  await service?.remove();
  await web?.kill();
});

test('are there for every endpoint', () => {
  const without = Object.entries({ ...managerEndpoints, ...gatewayEndpoints, ...imageEndpoints })
    .filter(([, endpoint]) => !('examples' in endpoint))
    .map(([name]) => name);

  assert.equal(without, []);
});

for (const example of examples) {
  test(`${example.endpoint}: ${example.name}`, () => sender.send(example));
}

test.run();
