import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { sendMalformed } from '../../fuzz/malformed.ts';
import { startHttpServer } from '../../support/http-server.ts';

const test = suite('malformed requests');

test('an answer of an HTTP parser that is not in the document is told, with its request', async () => {
  const server = await startHttpServer((_request, response) => response.end());

  const problems = await sendMalformed(Number(server.address.split(':')[1]), 1, 30);
  await server.close();

  assert.match(problems.join('\n'), /"(GET|POST) .*\n {2}400 with $/m);
});

test.run();
