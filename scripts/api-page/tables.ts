import { readFileSync } from 'node:fs';
import { failureKinds } from '../../lib/failure.ts';
import { failureStatuses } from '../../lib/openapi/failure-answers.ts';
import { failureMeanings } from '../../lib/openapi/failure-meanings.ts';
import { fieldsOf, fieldTable, type Json, table } from './schema-text.ts';

/** The tables of docs/api.md that are of no endpoint. */

export function recordSections(document: Json): string {
  return Object.entries<Json>(document.components.schemas)
    .filter(([name]) => !['Failure', 'JsonRpcFailure'].includes(name))
    .map(([name, schema]) => `### Record: ${name}\n\n${fieldTable('field', fieldsOf(schema))}`)
    .join('\n\n');
}

export function errorCodeTable(): string {
  const rows = Object.entries(failureKinds).map(([code, kind]) => {
    const statuses = failureStatuses(code as keyof typeof failureKinds).join(', ');
    const inJsonRpc = 'rpcStatus' in kind ? ` (${kind.rpcStatus} in JSON-RPC)` : '';
    return [
      `\`${code}\``,
      `${statuses}${inJsonRpc}`,
      `${kind.jsonrpc}`,
      failureMeanings[code as keyof typeof failureKinds],
    ];
  });
  return table(['code', 'HTTP', 'JSON-RPC', 'when'], rows);
}

/** From `.env.example`: a comment is about the settings below it, up to the next comment. */
export function settingTable(): string {
  const rows: string[][] = [];
  let comment: string[] = [];
  let isNew = true;
  for (const line of readFileSync('.env.example', 'utf8').split('\n')) {
    const [, name, value = ''] = /^#([A-Z][A-Z0-9_]*)=(.*)$/.exec(line) ?? [];
    if (name !== undefined) {
      rows.push([`\`${name}\``, value === '' ? '' : `\`${value}\``, isNew ? comment.join(' ') : 'the same']);
      isNew = false;
    } else if (line.startsWith('# ---') || line === '' || line === '#') {
      comment = [];
      isNew = true;
    } else if (line.startsWith('# ')) {
      comment = isNew ? [...comment, line.slice(2)] : [line.slice(2)];
      isNew = true;
    }
  }
  return table(['setting', 'default', 'meaning'], rows);
}
