import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { entriesOf, parsePasted } from '../../../static/add-server/pasted.js';

const test = suite('pasted configurations');
const time = { command: 'uvx', args: ['mcp-server-time'] };

test('whole files are taken, of either kind', () => {
  assert.equal(parsePasted(JSON.stringify({ mcpServers: { time } })), { body: { mcpServers: { time } } });
  assert.equal(parsePasted(JSON.stringify({ servers: { time }, inputs: [] })), {
    body: { servers: { time } },
  });
});

test('so is the inner part alone, with or without its braces', () => {
  assert.equal(parsePasted(JSON.stringify({ time })), { body: { mcpServers: { time } } });
  assert.equal(parsePasted(`"mcpServers": {"time": ${JSON.stringify(time)}},`), {
    body: { mcpServers: { time } },
  });
  assert.equal(parsePasted(`"time": ${JSON.stringify(time)},`), { body: { mcpServers: { time } } });
});

test('lines that start a container are taken as they are', () => {
  for (const text of [
    'docker run -i mcp/time',
    '  $ sudo docker run x',
    '# First\npodman container run \\\n x',
  ]) {
    assert.equal(parsePasted(text), { body: { command_line: text } });
  }
  assert.equal(parsePasted(JSON.stringify({ mcpServers: { time: { command: 'docker run x' } } })), {
    body: { mcpServers: { time: { command: 'docker run x' } } },
  });
});

test('anything else is told in words', () => {
  assert.match(Object(parsePasted('{"mcpServers": {')).problem, /not a JSON/);
  assert.match(Object(parsePasted('[1]')).problem, /not a JSON object/);
  assert.match(Object(parsePasted('{"theme": "dark"}')).problem, /neither/);
});

test('commands are chosen at first only where they may be registered', () => {
  const configs = [
    { name: 'time', ...time },
    { name: 'web', url: 'https://a.example' },
  ];

  assert.equal(
    entriesOf({ configs }, false).map(({ isChosen }) => isChosen),
    [false, true],
  );
  assert.equal(
    entriesOf({ configs }, true).map(({ isChosen }) => isChosen),
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
