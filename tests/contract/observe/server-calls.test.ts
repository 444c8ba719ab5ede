import * as assert from 'uvu/assert';
import { createServerCallRows } from '../../../lib/observe/server-calls.ts';
import { eachDatabase } from '../../support/each-database.ts';

const call = { at: 1_795_000_000_000, tool: 'échö', outcome: 'ok', milliseconds: 1.5 };
const some = { total: 3_000_000_000, failed: 2, inFlight: 1, recent: [call] };

for (const { test, database } of await eachDatabase({ name: 'server calls', table: 'server_calls' })) {
  const rowsOf = (processId: string) => createServerCallRows(database(), processId);

  test('what a process told is read by the others, exactly, and not by itself', async () => {
    await rowsOf('a').write(new Map([['demo', some]]));

    assert.equal(await rowsOf('b').readOthers(), new Map([['demo', [some]]]));
    assert.equal(await rowsOf('a').readOthers(), new Map());
  });

  test('each told again replaces what was told before, and that of no other process or server', async () => {
    await rowsOf('a').write(new Map([['demo', some]]));
    await rowsOf('a').write(new Map([['other', some]]));
    await rowsOf('b').write(new Map([['demo', some]]));
    const later = { ...some, total: some.total + 1, inFlight: 0, recent: [] };

    await rowsOf('a').write(new Map([['demo', later]]));

    const read = await rowsOf('c').readOthers();
    assert.equal(
      read
        .get('demo')
        ?.map(({ total }) => total)
        .sort(),
      [some.total, later.total],
    );
    assert.equal(read.get('other'), [some]);
  });

  test('of a process that is silent nothing is under way, and after a day nothing is left', async () => {
    await rowsOf('a').write(new Map([['demo', some]]));
    const age = (interval: string) =>
      database().query(
        `update server_calls set updated_at = now() - interval '${interval}' where process = 'a'`,
      );

    await age('6 seconds');
    const silent = (await rowsOf('b').readOthers()).get('demo');
    await age('25 hours');
    await rowsOf('b').write(new Map([['other', some]]));

    assert.equal(silent, [{ ...some, inFlight: 0 }]);
    assert.equal([...(await rowsOf('c').readOthers()).keys()], ['other']);
  });

  test.run();
}
