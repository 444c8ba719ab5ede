/** What every secrets method promises (`lib/secrets/secrets.ts`), whatever lies behind it. */
import type { Test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Secrets } from '../../../lib/secrets/secrets.ts';

/** @param open Opens an empty source; called again it opens the same one, as a second process would. */
export function secretsContract(test: Test, open: () => Secrets): void {
  test('there are no secrets at first, and the method is reachable', async () => {
    const secrets = open();

    assert.is((await secrets.names()).size, 0);
    assert.is((await secrets.read(['A'])).size, 0);
    assert.ok(await secrets.isReachable());
  });

  test('answers the names asked for and leaves out those that are absent', async () => {
    const secrets = open();
    await secrets.write(new Map([['A', '1']]));
    await secrets.write(new Map([['B', '2']]));

    assert.equal([...(await secrets.read(['B', 'MISSING']))], [['B', '2']]);
    assert.equal([...(await secrets.names())].sort(), ['A', 'B']);
    assert.is((await secrets.read([])).size, 0);
  });

  test('every value reads back the same', async () => {
    const secrets = open();
    const values = new Map([
      // biome-ignore lint/suspicious/noTemplateCurlyInString: nothing in a value is expanded
      ['QUOTED', 'it\'s "it" \\ `$(x)` ${A}'],
      ['LINES', '-----BEGIN KEY-----\nabc\r\n-----END KEY-----\n'],
      ['BLANK', '  x # y  '],
      ['EMPTY', ''],
      ['UNICODE', 'käse ☃ 日本'],
      ['LONG', 'x'.repeat(32_768)],
      ['__proto__', 'own'],
    ]);

    await secrets.write(values);

    assert.equal(new Map(await open().read([...values.keys()])), values);
  });

  test('a value is replaced, and others stay', async () => {
    const secrets = open();
    await secrets.write(
      new Map([
        ['A', '1'],
        ['B', '2'],
      ]),
    );

    await secrets.write(new Map([['A', 'new']]));

    assert.equal([...(await open().read(['A', 'B']))].sort(), [
      ['A', 'new'],
      ['B', '2'],
    ]);
  });

  test('what is removed is gone, and removing what is not there is fine', async () => {
    const secrets = open();
    await secrets.write(
      new Map([
        ['A', '1'],
        ['B', '2'],
      ]),
    );

    await secrets.remove(['A', 'NEVER']);

    assert.equal([...(await secrets.names())], ['B']);
  });

  test('once all are removed, names can be written again', async () => {
    const secrets = open();
    await secrets.write(new Map([['A', '1']]));
    await secrets.remove(['A']);

    await secrets.write(new Map([['A', '2']]));

    assert.is((await open().read(['A'])).get('A'), '2');
  });

  test('a value changed by somebody else counts at the next reading', async () => {
    const secrets = open();
    await secrets.write(new Map([['A', '1']]));
    await secrets.read(['A']);

    await open().write(new Map([['A', '2']]));

    assert.is((await secrets.read(['A'])).get('A'), '2');
  });

  test('two processes that write at the same time lose nothing', async () => {
    const [one, other] = [open(), open()];
    const names = Array.from({ length: 12 }, (_, at) => `NAME_${at}`);

    await Promise.all(names.map((name, at) => (at % 2 ? one : other).write(new Map([[name, name]]))));
    await Promise.all([one.remove(['NAME_0']), other.write(new Map([['NAME_1', 'new']]))]);

    const values = await one.read(names);
    assert.is(values.size, 11);
    assert.is(values.get('NAME_1'), 'new');
  });
}
