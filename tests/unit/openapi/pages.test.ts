import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { withMadeParts } from '../../../scripts/api-page/made-parts.ts';
import { documentText } from '../../../scripts/api-page/published-document.ts';
import { readText } from '../../support/source-files.ts';

const test = suite('docs/openapi.json and docs/api.md');
const remedy = 'run `npm run openapi`';

test('are those that the sources make', () => {
  assert.ok(readText('docs/openapi.json') === documentText, `docs/openapi.json: ${remedy}`);
  const page = readText('docs/api.md');
  assert.ok(page === withMadeParts(page), `docs/api.md: ${remedy}`);
});

test('have all parts', () => {
  const page = readText('docs/api.md');
  const names = [...page.matchAll(/<!-- made: (.+?) -->\n\n(?!<!--)/g)].map(([, name]) => name);

  assert.equal(names, [
    ...['tools', 'groups', 'servers', 'service', 'gateway'],
    ...['records', 'error codes', 'commands', 'settings'],
  ]);
  assert.throws(() => withMadeParts('<!-- made: nothing -->\n<!-- end -->'), /Nothing makes/);
});

test.run();
