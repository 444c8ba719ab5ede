/** The fields of a group's file, as docs/servers.md tells them: all of them, and which must be there. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { GroupFile } from '../../../lib/groups/files/group-file.ts';
import { parseGroup } from '../../../lib/groups/files/parse-group.ts';
import { createSchemaWriter } from '../../../lib/json/json-schema.ts';
import { tableBelow } from '../../support/markdown-tables.ts';
import { readText } from '../../support/source-files.ts';

const test = suite('documented fields of a group');

const rows = tableBelow(readText('docs/servers.md'), '## Group files');
const told = rows.flatMap(([cell = '']) => [...cell.matchAll(/`([a-z_]+)`/g)].map(([, name = '']) => name));
/** Not checked with the file, since a name that is none only finds nobody. */
const unchecked = 'former_names';
const least = { name: 'team', included_tools: [] };

function problemOf(document: Readonly<Record<string, unknown>>): string | undefined {
  const text = JSON.stringify(document);
  const parsed = parseGroup('team', { text, etag: '', modifiedAt: new Date() });
  return 'problem' in parsed ? parsed.problem : undefined;
}

test('each field is one that is checked', () => {
  for (const field of told.filter((name) => name !== unchecked))
    assert.match(problemOf({ ...least, [field]: 7 }) ?? '', `\`${field}\``);
});

test('no field of the file is left out', () => {
  const writer = createSchemaWriter((name) => name);
  writer.write(GroupFile);
  const checked = Object.keys(writer.components().Group?.properties ?? {});

  assert.ok(checked.length > 6);
  assert.equal([...told].sort(), checked.sort());
});

test('a name and a list of tools must be there, and nothing else', () => {
  assert.is(problemOf(least), undefined);
  for (const field of Object.keys(least)) assert.ok(problemOf({ ...least, [field]: undefined }), field);
  assert.ok(rows.some(([, meaning = '']) => meaning.includes('it and `name` must be there')));
});

test.run();
