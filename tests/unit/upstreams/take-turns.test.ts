/** Two containers never serve on the same data: the swap by turns, and everything that may come between. */

import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { defaultLimits } from '../../../lib/config/server-config.ts';
import { StartFailure } from '../../../lib/upstreams/upstream-failures.ts';
import { failureOf, until } from '../../support/upstream-fixture.ts';
import { createContainerFixture } from './container-fixture.ts';

const test = suite('containers take turns on their data');

test('a try-out is beside the one that serves; its commit ends both before the next one starts', async () => {
  const server = createContainerFixture();
  server.install('a');
  assert.equal(await server.call(), { result: '"a"' });

  const candidate = await server.tryOut('b');
  assert.equal(
    candidate.tools.map(({ name }) => name),
    ['tool of b (try-out)'],
  );
  assert.equal(await server.call(), { result: '"a"' });
  await candidate.commit();

  assert.equal(await server.call(), { result: '"b"' });
  assert.equal(server.steps.slice(0, 2), ['open a', 'open b (try-out)']);
  assert.equal(server.steps.slice(2, 4).sort(), ['close a stop', 'close b (try-out) discard']);
  assert.equal(server.steps.slice(4), ['open b']);
  assert.is(server.mostOnData, 1);
  assert.equal(server.listed.at(-1), ['tool of b'], 'the tools of the one on the data are told');
  await server.close();
});

test('a try-out that is discarded leaves nothing, and the one that serves alone', async () => {
  const server = createContainerFixture();
  server.install('a');
  await server.call();

  await (await server.tryOut('b')).discard();

  assert.equal(await server.call(), { result: '"a"' });
  assert.equal(server.steps, ['open a', 'open b (try-out)', 'close b (try-out) discard']);
  await server.close();
});

test('a try-out that does not start is gone, and the one that serves never stopped', async () => {
  const server = createContainerFixture();
  server.install('a');
  await server.call();

  const failure = await failureOf(server.tryOut('broken'));

  assert.match(failure.message, 'exit code 3');
  assert.equal(await server.call(), { result: '"a"' });
  assert.is(server.steps.includes('close a stop'), false);
  await server.close();
});

test('calls wait while containers take turns, and go on with the next one', async () => {
  const server = createContainerFixture();
  server.install('a');
  await server.call();
  const candidate = await server.tryOut('b');
  server.lingers = true;
  const swap = candidate.commit();

  const calls = [server.call(), server.call({ sessionId: 'other' })];
  const tools = server.upstreams.connect('keeps');
  await until(() => server.upstreams.status('keeps')?.state === 'connecting');
  assert.is(server.steps.includes('open b'), false);
  server.lingers = false;
  server.release();
  await swap;

  assert.equal(await Promise.all(calls), [{ result: '"b"' }, { result: '"b"' }]);
  assert.equal(
    (await tools).map(({ name }) => name),
    ['tool of b'],
  );
  assert.is(server.mostOnData, 1);
  await server.close();
});

test('a call that waits can be cancelled', async () => {
  const server = createContainerFixture();
  server.install('a');
  await server.call();
  const candidate = await server.tryOut('b');
  server.lingers = true;
  const swap = candidate.commit();
  const controller = new AbortController();

  const call = failureOf(server.call({ signal: controller.signal }));
  controller.abort(new Error('cancelled by its client'));

  assert.is((await call).message, 'cancelled by its client');
  server.lingers = false;
  server.release();
  await swap;
  await server.close();
});

test('calls under way finish before the older one stops', async () => {
  const server = createContainerFixture();
  server.install('holds a');
  const call = server.call();
  const candidate = await server.tryOut('b');
  const swap = candidate.commit();
  const next = server.call();
  await until(() => server.steps.includes('close b (try-out) discard'));
  assert.is(server.steps.includes('close holds a stop'), false);

  server.answerAll();

  assert.equal(await call, { result: '"holds a"' });
  assert.equal(await next, { result: '"b"' });
  await swap;
  await server.close();
});

test('one that takes too long fails with a sentence, and one that was never sent goes on to the next', async () => {
  const server = createContainerFixture(20);
  server.install('holds a', { limits: { ...defaultLimits, calls: 1 } });
  const [sent, queued] = [failureOf(server.call()), server.call()];
  const candidate = await server.tryOut('b');

  await candidate.commit();

  assert.match((await sent).message, 'is being replaced, and this call took too long to wait for');
  assert.equal(await queued, { result: '"b"' });
  assert.is(server.mostOnData, 1);
  await server.close();
});

test('when the next one does not start on the data, the older one is started again and the calls go there', async () => {
  const server = createContainerFixture();
  server.install('a');
  await server.call();
  const candidate = await server.tryOut('broken on data');
  assert.equal(candidate.tools.length, 1);
  const swap = failureOf(candidate.commit());
  const call = server.call();

  const failure = await swap;

  assert.instance(failure, StartFailure);
  assert.match(failure.message, 'exit code 3');
  assert.equal(await call, { result: '"a"' });
  assert.is(server.upstreams.status('keeps')?.state, 'connected');
  assert.equal(server.steps.slice(-3), ['open broken on data', 'close broken on data stop', 'open a']);
  assert.is(server.mostOnData, 1);
  await candidate.discard();
  assert.equal(await server.call(), { result: '"a"' });
  await server.close();
});

test('an older one that was not running is not started for a failure', async () => {
  const server = createContainerFixture();
  server.install('a');
  const candidate = await server.tryOut('broken on data');

  await failureOf(candidate.commit());

  assert.is(server.steps.includes('open a'), false);
  assert.equal(await server.call(), { result: '"a"' });
  await server.close();
});

test('a first one that does not start on its data is not registered', async () => {
  const server = createContainerFixture();
  const candidate = await server.tryOut('broken on data');

  await failureOf(candidate.commit());

  assert.is(server.upstreams.status('keeps'), undefined);
  assert.match((await failureOf(server.call())).message, 'There is no server "keeps"');
  assert.equal(server.steps.at(-1), 'close broken on data stop');
  await server.close();
});

test('containers of sessions stop too, and each session goes on in one of the next config', async () => {
  const server = createContainerFixture();
  server.install('a', { sessionMode: 'stateful' });
  await server.call();
  const candidate = await server.tryOut('b', { sessionMode: 'stateful' });

  await candidate.commit();

  assert.ok(server.steps.includes('close a of s stop'));
  assert.equal(await server.call(), { result: '"b of s"' });
  await server.close();
});

test('removed meanwhile: calls that wait fail, and nothing is left of any of them', async () => {
  const server = createContainerFixture();
  server.install('a');
  await server.call();
  const candidate = await server.tryOut('b');
  server.lingers = true;
  const swap = failureOf(candidate.commit());
  const call = failureOf(server.call());

  const removed = server.upstreams.remove('keeps');
  server.lingers = false;
  server.release();
  await removed;

  assert.match((await call).message, 'There is no server "keeps"');
  assert.match((await swap).message, 'it was removed');
  assert.is(server.steps.includes('open b'), false);
  assert.is(server.upstreams.status('keeps'), undefined);
  await server.close();
});

test('another config meanwhile: it serves, once the others are gone', async () => {
  const server = createContainerFixture();
  server.install('a');
  await server.call();
  const candidate = await server.tryOut('b');
  server.lingers = true;
  const swap = failureOf(candidate.commit());
  const early = server.call();

  server.install('c');
  const late = server.call();
  server.lingers = false;
  server.release();

  assert.match((await swap).message, 'another config took its place');
  assert.equal(await Promise.all([early, late]), [{ result: '"c"' }, { result: '"c"' }]);
  assert.is(server.mostOnData, 1);
  await server.close();
});

test('the end of the gateway meanwhile: calls that wait are told, and it waits for all containers', async () => {
  const server = createContainerFixture();
  server.install('a');
  await server.call();
  const candidate = await server.tryOut('b');
  server.lingers = true;
  const swap = failureOf(candidate.commit());
  const call = failureOf(server.call());

  const closed = server.upstreams.close();
  server.lingers = false;
  server.release();
  await closed;

  assert.match((await swap).message, 'the gateway is stopping');
  assert.match((await call).message, 'the gateway is stopping');
  assert.is(server.steps.includes('open b'), false);
});

test('another process looks after the containers meanwhile: the older config is what is left here', async () => {
  const server = createContainerFixture();
  server.install('a');
  await server.call();
  const candidate = await server.tryOut('b');
  server.lingers = true;
  const swap = failureOf(candidate.commit());

  const gone = server.upstreams.letGo('keeps');
  server.lingers = false;
  server.release();
  await gone;

  assert.match((await swap).message, 'another process looks after it now');
  assert.is(server.upstreams.status('keeps')?.state, 'idle');
  await server.close();
});

test('one swap after the other, when two are committed at once', async () => {
  const server = createContainerFixture();
  server.install('a');
  await server.call();
  const [b, c] = [await server.tryOut('b'), await server.tryOut('c')];

  const [first] = await Promise.all([failureOf(b.commit()), c.commit()]);

  assert.match(first.message, 'another config took its place');
  assert.equal(await server.call(), { result: '"c"' });
  assert.is(server.mostOnData, 1);
  await server.close();
});

test('a container that is replaced without a try-out runs on, for the container store to judge, and the next waits for it', async () => {
  const server = createContainerFixture();
  server.install('a');
  await server.call();

  server.install('b');

  assert.equal(await server.call(), { result: '"b"' });
  assert.equal(server.steps, ['open a', 'close a let-go', 'open b']);
  assert.is(server.mostOnData, 1);
  await server.close();
});

test('removed with its data kept: containers are only stopped', async () => {
  const server = createContainerFixture();
  server.install('a');
  await server.call();

  await server.upstreams.remove('keeps', 'stop');

  assert.equal(server.steps, ['open a', 'close a stop']);
  await server.close();
});

test('to list again is to ask the one that runs', async () => {
  const server = createContainerFixture();
  server.install('a');

  const [first, again] = [await server.upstreams.relist('keeps'), await server.upstreams.relist('keeps')];

  assert.equal(
    [first, again].map(([tool]) => tool?.name),
    ['tool of a', 'tool of a'],
  );
  assert.equal(server.steps, ['open a']);
  await server.close();
});

test.run();
