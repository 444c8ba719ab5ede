/** What the event log must do, whatever keeps it. */
import type { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  type EventLog,
  mostStreamsPerSession,
  type StoredStream,
} from '../../../lib/sessions/event-log/event-log.ts';

export interface OpenedLog {
  readonly log: EventLog;
  /** Makes a session that streams may belong to; answers its id. */
  newSession(): Promise<string>;
}

export function describeEventLog(test: ReturnType<typeof suite>, open: () => Promise<OpenedLog>): void {
  let streams = 0;

  async function openStream(opened?: OpenedLog): Promise<OpenedLog & { stream: StoredStream }> {
    const { log, newSession } = opened ?? (await open());
    streams += 1;
    const id = `gstream-number-${streams}`;
    const stream = { id, sessionId: await newSession(), principal: 'me', fallbackAnswer: '{"lost":1}' };
    return { log, newSession, stream };
  }

  async function openListener() {
    const opened = await openStream();
    return { ...opened, stream: { ...opened.stream, fallbackAnswer: '' } };
  }

  /** As many streams like this one as a session may have, each with one event. */
  async function appendMany(log: EventLog, like: StoredStream, { isLast }: { isLast: boolean }) {
    const streams = Array.from({ length: mostStreamsPerSession }, (_, at) => ({
      ...like,
      id: `${like.id}-${like.fallbackAnswer === '' ? 'listener' : 'call'}-${at}`,
    }));
    for (const stream of streams) {
      await log.append({ stream, seq: 1, message: '{}', isLast, keepFrom: 0 });
      // Their age decides, and clocks are coarse.
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    return streams;
  }

  function readAs(log: EventLog, { id, sessionId }: StoredStream, seq: number, principal = 'me') {
    return log.read({ streamId: id, sessionId, principal }, seq);
  }

  test('what was kept after a place is read in order, exactly as it was', async () => {
    const { log, stream } = await openStream();
    const messages = ['{"a":1}', '{"b":"ü\\u0000 \\ud800"}', '{"c":12345678901234567890}'];

    await Promise.all(
      messages.map((message, at) =>
        log.append({ stream, seq: at + 1, message, isLast: at === 2, keepFrom: 0 }),
      ),
    );

    const reading = await readAs(log, stream, 1);
    assert.equal(
      reading?.events.map(({ seq, message, isLast }) => [seq, message, isLast]),
      [
        [2, messages[1], false],
        [3, messages[2], true],
      ],
    );
    assert.is(reading?.fallbackAnswer, '{"lost":1}');
    assert.equal((await readAs(log, stream, 3))?.events, []);
  });

  test('once it is flushed everything is stored that was given to it', async () => {
    const { log, stream } = await openStream();
    for (let seq = 1; seq <= 20; seq += 1)
      void log.append({ stream, seq, message: '{}', isLast: seq === 20, keepFrom: 0 });

    await log.flush();

    const reading = await readAs(log, stream, 0);
    assert.equal([reading?.events.length, reading?.isEnded], [20, true]);
    await log.flush();
  });

  test('a long event is kept beside short ones, exactly as it was', async () => {
    const { log, stream } = await openStream();
    const messages = ['{"a":1}', `{"b":"${'ü\\"\\\\'.repeat(50_000)}"}`, '{"c":1}'];

    await Promise.all(
      messages.map((message, at) =>
        log.append({ stream, seq: at + 1, message, isLast: at === 2, keepFrom: 0 }),
      ),
    );

    const reading = await readAs(log, stream, 0);
    assert.equal(
      reading?.events.map(({ message }) => message),
      messages,
    );
  });

  test('another principal and another session get nothing', async () => {
    const { log, stream, newSession } = await openStream();
    await log.append({ stream, seq: 1, message: '{}', isLast: false, keepFrom: 0 });

    assert.is(await readAs(log, stream, 0, ''), undefined);
    assert.is(await readAs(log, { ...stream, sessionId: await newSession() }, 0), undefined);
    assert.is(await readAs(log, { ...stream, id: 'gunknown' }, 0), undefined);
    assert.is((await readAs(log, stream, 0))?.events.length, 1);
  });

  test('a stream that was opened is known before it carried anything', async () => {
    const { log, stream } = await openStream();

    assert.is(await log.open({ ...stream, principal: Promise.resolve('me') }), true);

    const reading = await readAs(log, stream, 0);
    assert.equal([reading?.events, reading?.idleSeconds], [[], undefined]);
    assert.ok((reading?.silentSeconds ?? 99) < 5);
  });

  test('what its writer no longer keeps is dropped', async () => {
    const { log, stream } = await openStream();
    for (let seq = 1; seq <= 5; seq += 1) {
      await log.append({ stream, seq, message: `${seq}`, isLast: false, keepFrom: seq === 5 ? 4 : 0 });
    }

    const reading = await readAs(log, stream, 0);

    assert.equal(
      reading?.events.map(({ seq }) => seq),
      [4, 5],
    );
  });

  test('a session has as many streams as its limit, and the oldest make room', async () => {
    const { log, stream } = await openListener();
    await log.open(stream);
    await new Promise((resolve) => setTimeout(resolve, 2));

    const others = await appendMany(log, stream, { isLast: false });

    assert.is(await readAs(log, stream, 0), undefined);
    for (const other of others) assert.is((await readAs(log, other, 0))?.events.length, 1);
  });

  test('streams that have ended make room before a listener’s, however old', async () => {
    const { log, stream } = await openListener();
    await log.open(stream);
    await new Promise((resolve) => setTimeout(resolve, 2));

    const [first, ...others] = await appendMany(
      log,
      { ...stream, fallbackAnswer: '{"lost":1}' },
      { isLast: true },
    );
    await log.open({ ...stream, id: `${stream.id}-next` });

    assert.ok(await readAs(log, stream, 0));
    assert.is(first && (await readAs(log, first, 0)), undefined);
    assert.is((await readAs(log, others.at(-1) ?? stream, 0))?.isEnded, true);
  });

  test('streams of calls under way make no room, and take none from others', async () => {
    const { log, stream } = await openListener();
    await log.open(stream);
    await new Promise((resolve) => setTimeout(resolve, 2));

    const calls = await appendMany(log, { ...stream, fallbackAnswer: '{"lost":1}' }, { isLast: false });
    const listeners = await appendMany(log, { ...stream, id: `${stream.id}-next` }, { isLast: false });

    for (const kept of [...calls, ...listeners]) assert.ok(await readAs(log, kept, 0), kept.id);
    assert.is(await readAs(log, stream, 0), undefined);
  });

  test('a sign of life of the writer is seen by readers', async () => {
    const { log, stream } = await openStream();
    await log.open(stream);
    await new Promise((resolve) => setTimeout(resolve, 120));
    const before = await readAs(log, stream, 0);

    await log.touch([stream.id]);

    const after = await readAs(log, stream, 0);
    assert.ok((before?.silentSeconds ?? 0) >= 0.1, `${before?.silentSeconds}`);
    assert.ok((after?.silentSeconds ?? 99) < (before?.silentSeconds ?? 0));
  });
}
