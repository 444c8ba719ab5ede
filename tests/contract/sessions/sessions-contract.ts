/** What sessions must do, whatever keeps them. Times are short: each behaviour is waited for, not slept for. */
import { randomBytes } from 'node:crypto';
import type { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { BusMessage } from '../../../lib/events/bus.ts';
import { createLocalBus, type LocalBus } from '../../../lib/events/local-bus.ts';
import { silentLog } from '../../../lib/log.ts';
import type { Sessions } from '../../../lib/sessions/sessions.ts';
import { waitUntil } from '../../support/wait-until.ts';

export interface OpenSessionsOptions {
  readonly bus: LocalBus;
  readonly ttlSeconds: number;
  readonly unusedSeconds?: number;
  readonly most?: number;
}

export type OpenSessions = (options: OpenSessionsOptions) => Sessions;

export const someSession = {
  group: 'svc-global',
  protocolVersion: '2025-11-25',
  clientCapabilities: { sampling: {}, experimental: { 'x/y': { deep: [1, null, 'ü\u0000\ud800'] } } },
  clientInfo: { name: 'test', version: '1' },
};

/** @param countOf How many sessions of other tests there are already. */
export function describeSessions(
  test: ReturnType<typeof suite>,
  open: OpenSessions,
  countOf: () => Promise<number> = async () => 0,
): void {
  const opened: Sessions[] = [];

  function openSessions(ttlSeconds = 60, more: Partial<OpenSessionsOptions> = {}) {
    const bus = createLocalBus({ log: silentLog });
    const busMessages: BusMessage[] = [];
    bus.subscribe((one) => busMessages.push(one));
    const sessions = open({ bus, ttlSeconds, ...more });
    opened.push(sessions);
    return { sessions, bus, busMessages };
  }

  test.after.each(async () => {
    for (const sessions of opened.splice(0)) await sessions.close();
  });

  test('a created session has an id of its own and what the client declared', async () => {
    const { sessions } = openSessions();

    const first = await sessions.create(someSession);
    const second = await sessions.create(someSession);

    assert.match(first.id, /^[0-9A-Za-z_-]{22,64}$/);
    assert.is.not(first.id, second.id);
    assert.equal(first, { ...someSession, id: first.id });
  });

  test('a created session is found at once, without waiting', async () => {
    const { sessions } = openSessions();
    const created = await sessions.create(someSession);

    const found = sessions.find(created.id);

    assert.equal(found, created);
    assert.is(sessions.size(), 1);
  });

  test('unknown ids and ids of another form are not found and not remembered', async () => {
    const { sessions } = openSessions();

    assert.is(await sessions.find('unknown-but-well-formed-0000'), undefined);
    assert.is(await sessions.find(''), undefined);
    assert.is(await sessions.find('short'), undefined);
    assert.is(await sessions.find("' or 1=1 -- aaaaaaaaaaaaaaaaa"), undefined);
    assert.is(sessions.size(), 0);
  });

  test('an ended session is not found, and its end is news once', async () => {
    const { sessions, busMessages } = openSessions();
    const { id } = await sessions.create(someSession);

    assert.is(await sessions.end(id), true);

    assert.is(await sessions.find(id), undefined);
    assert.is(await sessions.end(id), false);
    assert.equal(busMessages, [{ type: 'session_closed', name: id }]);
  });

  test('ending an unknown session is false and no news', async () => {
    const { sessions, busMessages } = openSessions();

    assert.is(await sessions.end('unknown-but-well-formed-0000'), false);
    assert.is(await sessions.end('../../etc'), false);
    assert.equal(busMessages, []);
  });

  test('a session expires when it was idle for its life time', async () => {
    const { sessions } = openSessions(0.2);
    const { id } = await sessions.create(someSession);

    await sleep(300);

    assert.is(await sessions.find(id), undefined);
    assert.is(await sessions.end(id), false);
  });

  test('a session in use does not expire', async () => {
    const { sessions } = openSessions(0.4);
    const { id } = await sessions.create(someSession);

    for (let use = 0; use < 6; use += 1) {
      await sleep(100);
      assert.ok(await sessions.find(id), `gone at use ${use}`);
      await sessions.reap();
    }
  });

  test('a session whose client listens does not expire, although it asks for nothing', async () => {
    const { sessions } = openSessions(0.4);
    const { id } = await sessions.create(someSession);

    for (let look = 0; look < 6; look += 1) {
      await sleep(100);
      sessions.use([id]);
      await sessions.reap();
    }

    assert.ok(await sessions.find(id));
  });

  test('of many sessions those that are no more are named', async () => {
    const { sessions } = openSessions();
    const [alive, ended] = [await sessions.create(someSession), await sessions.create(someSession)];
    await sessions.end(ended.id);

    assert.equal(await sessions.gone([alive.id, ended.id, 'unknown']), [ended.id, 'unknown']);
  });

  test('reaping removes expired sessions, tells of each, and leaves the others', async () => {
    const { sessions, busMessages } = openSessions(0.2);
    const old = await sessions.create(someSession);
    await waitUntil('it expired', async () => {
      await sessions.reap();
      return busMessages.some(({ name }) => name === old.id);
    });
    const young = await sessions.create(someSession);

    await sessions.reap();

    assert.is(busMessages.filter(({ name }) => name === old.id).length, 1);
    assert.not.ok(busMessages.some(({ name }) => name === young.id));
    assert.ok(await sessions.find(young.id));
    assert.is(sessions.size(), 1);
  });

  test('a session that was never used is gone sooner, and one that was is not', async () => {
    const { sessions, busMessages } = openSessions(60, { unusedSeconds: 0.2 });
    const [asked, listening, begun] = [
      await sessions.create(someSession),
      await sessions.create(someSession),
      await sessions.create(someSession),
    ];
    await sessions.find(asked.id);
    sessions.use([listening.id]);
    assert.equal(await sessions.read(begun.id), begun);

    await waitUntil('the unused one is gone', async () => {
      await sessions.reap();
      return busMessages.some(({ name }) => name === begun.id);
    });

    assert.is(await sessions.find(begun.id), undefined);
    assert.ok(await sessions.find(asked.id));
    assert.ok(await sessions.find(listening.id));
    assert.is(busMessages.length, 1);
  });

  test('a session is read like it is found, but reading it is no use', async () => {
    const { sessions } = openSessions(0.3);
    const { id } = await sessions.create(someSession);

    assert.is(await sessions.read('unknown-but-well-formed-0000'), undefined);
    await waitUntil('it expired though it is read', async () => (await sessions.read(id)) === undefined);
  });

  test('there are no more sessions than there may be', async () => {
    const { sessions } = openSessions(60, { most: (await countOf()) + 3 });

    const created = await Promise.allSettled([1, 2, 3, 4, 5].map(() => sessions.create(someSession)));

    const failures = created.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
    assert.equal(
      failures.map(({ code, status }) => [code, status]),
      [
        ['too_many_requests', 429],
        ['too_many_requests', 429],
      ],
    );
    assert.match(failures[0].headers['Retry-After'], /^\d+$/);
    const first = created.find((one) => one.status === 'fulfilled');
    await sessions.end(first?.value.id ?? '');
    await waitUntil('there is room again', () => sessions.create(someSession), { everyMs: 200 });
  });
}

export function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

export function newSessionId(): string {
  return randomBytes(24).toString('base64url');
}
