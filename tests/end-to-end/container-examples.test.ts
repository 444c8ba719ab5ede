/** The examples of the OpenAPI document about servers from images, sent to a service with a real engine. */
import { suite } from 'uvu';
import { imageEndpoints } from '../../handlers/manager/images/image-endpoints.ts';
import { createExampleSender, type ExampleSender, examplesOf } from '../support/api-examples.ts';
import { openContainerServices } from '../support/container-services.ts';
import { testImage } from '../support/testbed.ts';

const test = suite('examples of the API with containers');
const services = await openContainerServices();
const withEngine = services ? test : test.skip;
let sender: ExampleSender;

test.before(async () => {
  if (!services) return;
  const { managerUrl, gatewayUrl } = await services.run({ database: 'embedded' });
  const name = services.name('memory');
  const stands = new Map([
    ['mcp/memory:latest', testImage('memory')],
    ['"memory"', `"${name}"`],
    ['Server memory ', `Server ${name} `],
  ]);
  sender = createExampleSender({ manager: managerUrl, gateway: gatewayUrl }, stands);
});

test.after(() => services?.close());

for (const example of examplesOf(imageEndpoints)) {
  withEngine(`${example.endpoint}: ${example.name}`, () => sender.send(example));
}

test.run();
