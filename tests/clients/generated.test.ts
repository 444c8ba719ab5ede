/** A thousand generated definitions, every other one lawful, through the whole service to the official clients. */
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { elementsOf, memberText } from '../../lib/json/raw-json.ts';
import { type ClientName, openSdkClients } from '../../scripts/clients/sdk-clients.ts';
import { type GeneratedKind, generateDefinitions } from '../support/generated-definitions.ts';
import { openSession } from '../support/mcp-client.ts';
import { type RunningService, runService } from '../support/run-service.ts';
import { given, runClient } from './run-client.ts';
import { definitionsConfig } from './support/definitions-config.ts';
import { registerAll } from './support/register-all.ts';

const test = suite('a thousand definitions');
const official: readonly ClientName[] = ['typescript-v1', 'typescript-v2', 'python-1', 'python-2'];
const clients = await openSdkClients();
const count = 1_000;
/** Over stdio a message is one line; what is left of line breaks stands between members, where it means nothing. */
const generated = (kind: GeneratedKind) =>
  generateDefinitions(kind, count).map(({ definition, isLawful }) => ({
    definition: definition.replaceAll(/[\r\n]/g, ' '),
    isLawful,
  }));
const all = {
  tools: generated('tools'),
  prompts: generated('prompts'),
  resources: generated('resources'),
  templates: generated('templates'),
};
let service: RunningService;

test.before(async () => {
  service = await runService({
    readyMs: 120_000,
    groups: { all: { name: 'all', description: '', included_tools: [], included_servers: ['many'] } },
  });
  const definitions = Object.fromEntries(
    Object.entries(all).map(([kind, some]) => [kind, some.map(({ definition }) => definition)]),
  );
  await registerAll(service, definitionsConfig('many', join(service.dir, 'many.json'), definitions));
});
test.after(() => service?.remove());

const keys = { tools: 'name', prompts: 'name', resources: 'uri', templates: 'uriTemplate' } as const;
const kinds = Object.keys(keys) as GeneratedKind[];

/** What lawful definitions are asked for by. */
function lawfulKeys(kind: GeneratedKind): string[] {
  const prefix = keys[kind] === 'name' ? 'many__' : '';
  return all[kind]
    .filter(({ isLawful }) => isLawful)
    .map(({ definition }) => `${prefix}${JSON.parse(definition)[keys[kind]]}`);
}

test('lawful tools come as they are, to the byte but for their names', async () => {
  const session = await openSession(service.groupUrl('all'));
  const { text } = await session.request('tools/list');
  const list = memberText(memberText(text, 'result') ?? '', 'tools') ?? '';
  const shown = new Set(elementsOf(list).map(({ start, end }) => list.slice(start, end)));

  const missing = all.tools
    .filter(({ isLawful }) => isLawful)
    // Names are letters, digits and underscores, of which some are escaped.
    .map(({ definition }) =>
      definition.replaceAll(memberText(definition, 'name') ?? '', `"many__${nameIn(definition)}"`),
    )
    .filter((definition) => !shown.has(definition));

  assert.equal(missing, []);
});

function nameIn(definition: string): string {
  return JSON.parse(definition).name;
}

for (const name of official) {
  const client = clients.get(name);
  const orSkipped = client ? test : test.skip;
  orSkipped(`${name} lists them all, and the lawful ones are there`, async () => {
    if (client === undefined) return;
    const steps = ['listTools', 'listPrompts', 'listResources', 'listTemplates'].map((list) => ({
      do: list,
    }));
    const lists = await runClient(client, { url: service.groupUrl('all') }, steps);

    kinds.forEach((kind, at) => {
      // The Python client of version 1 writes spaces and letters of URIs in percent-encoding.
      const listed = new Set(given(lists[at]).map(decodeURI));
      assert.equal(
        lawfulKeys(kind).filter((key) => !listed.has(key)),
        [],
        kind,
      );
    });
  });
}

test.run();
