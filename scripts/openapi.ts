/**
 * Writes `docs/openapi.json`, and the parts of `docs/api.md` that are made from it, between `<!-- made: … -->` and
 * `<!-- end -->`. `npm run openapi` after a change of an endpoint, a struct, an error code or `.env.example`; a test fails
 * until then.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { withMadeParts } from './api-page/made-parts.ts';
import { documentText } from './api-page/published-document.ts';

writeFileSync('docs/openapi.json', documentText);
writeFileSync('docs/api.md', withMadeParts(readFileSync('docs/api.md', 'utf8')));
