import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { describeRegistration, previewServer } from '../../../lib/catalog/registration.ts';
import { serverConfig } from '../../support/upstream-fixture.ts';

const test = suite('what a registration did');

test('tools that agents do not see are warned of, each with the remedy and everything in its name to be seen', async () => {
  const names = ['fine', `long_${'x'.repeat(60)}`, 'y'.repeat(129), 'a\n\u202eb'];
  const tools = names.map((name) => ({ name, definition: JSON.stringify({ name }) }));
  const server = await previewServer(serverConfig({ name: 'crm' }), tools, undefined);

  const { warnings } = describeRegistration({
    server,
    before: undefined,
    outcome: 'registered',
    missing: [],
  });

  assert.equal(warnings, [
    `Some clients drop \`crm__long_${'x'.repeat(60)}\`: its name is longer than 60 characters.`,
  ]);
  const remedy = '`exposed_names` of a group can give it another.';
  const schemaless = 'its inputSchema is missing and is shown as {"type":"object"}.';
  assert.equal(
    server.problems.filter((problem) => !problem.endsWith(schemaless)),
    [
      `Agents do not see the tool "${'y'.repeat(60)}…": its name is longer than 128 characters. ${remedy}`,
      `Agents do not see the tool "a\\u{a}\\u{202e}b": its name has line breaks or other characters that cannot be seen. ${remedy}`,
    ],
  );
});

test.run();
