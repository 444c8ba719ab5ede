import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { firstValues, inputsOf, withValues } from '../../../static/add-server/input-values.js';
import { entriesOf } from '../../../static/add-server/pasted.js';

const test = suite('pasted configurations');
const nothing = { problems: [], warnings: [] };
const time = { command: 'uvx', args: ['mcp-server-time'] };

test('what a file asks for is put in wherever it is asked for, and stays where nothing was typed', () => {
  const input = (id: string) => `\${input:${id}}`;
  const config = { env: { A: `Bearer ${input('key')}` }, args: [input('key'), input('toString')], port: 1 };

  assert.equal(withValues(config, { key: '$&1', other: 'x' }), {
    env: { A: 'Bearer $&1' },
    args: ['$&1', input('toString')],
    port: 1,
  });
  const inputs = [
    { id: 'key', description: '', password: true, servers: ['a', 'b'] },
    { id: 'region', description: '', password: false, default: 'eu', servers: ['c'] },
  ];
  assert.equal(firstValues(inputs), { key: '', region: 'eu' });
  assert.equal(
    inputsOf(inputs, ['b', 'd']).map(({ id }) => id),
    ['key'],
  );
});

test('commands are chosen at first only where they may be registered', () => {
  const configs = [
    { name: 'time', ...time },
    { name: 'web', url: 'https://a.example' },
  ];

  assert.equal(
    entriesOf({ configs, ...nothing }, false).map(({ isChosen }) => isChosen),
    [false, true],
  );
  assert.equal(
    entriesOf({ configs, ...nothing }, true).map(({ isChosen }) => isChosen),
    [true, true],
  );
});

test('a remark stands at its server, and what cannot be used is still listed', () => {
  const problems = [
    { name: 'time', problem: 'It was renamed.' },
    { name: 'off', problem: 'It is disabled in the file.' },
  ];

  const warnings = [{ name: 'time', warning: 'left out `--gpus`.' }];

  const entries = entriesOf({ configs: [{ name: 'time', ...time }], problems, warnings }, true);

  assert.equal(
    entries.map(({ name, note, config }) => [name, note, config !== undefined]),
    [
      ['time', 'It was renamed. Left out `--gpus`.', true],
      ['off', 'It is disabled in the file.', false],
    ],
  );
});

test.run();
