import { readFileSync } from 'node:fs';
import { apiDocument } from '../../handlers/api-document.ts';
import type { Json } from './schema-text.ts';

const { version } = JSON.parse(readFileSync('package.json', 'utf8'));

/** The document of a service as the README starts it. */
export const publishedDocument: Json = apiDocument({
  version,
  managerUrl: 'http://127.0.0.1:3701',
  gatewayUrl: 'http://127.0.0.1:3700',
});

export const documentText = `${JSON.stringify(publishedDocument, null, 1)}\n`;
