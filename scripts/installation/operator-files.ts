/** What the operator of the installation wrote by hand, in a hand's own style, and what was registered over the API. */
import { type Config, everythingPath, filesystemPath } from '../../tests/support/test-servers.ts';

const faultPath = 'tests/support/fault-server.mjs';
const offeringPath = 'tests/support/offering-server.mjs';

/** `SHARED_KEY` is the operator's own, and two servers refer to it. */
export const secretsText = `# Ours, written by hand. Do not sort.
export SHARED_KEY='made up: shared by two # servers'

UNUSED_KEY = made-up-and-unused   # nobody refers to it
`;

/** File name → text. */
export function configTexts(notesAddress: string): Record<string, string> {
  return {
    'everything.json': `{
	"name": "everything", "transport": "stdio",
	"description": "written by hand, with tabs",
	"command": "node", "args": ["${everythingPath}", "stdio"],
	"env": { "SHARED_KEY": "\${SHARED_KEY}", "PLAIN": "a literal that stays in this file" }
}
`,
    'filesystem.json': `{ "name": "filesystem", "transport": "stdio", "command": "node",
  "args": [ "${filesystemPath}", "docs" ] }`,
    'offering.json': text({ name: 'offering', transport: 'stdio', command: 'node', args: [offeringPath] }),
    'stray.json': text({ name: 'stray', transport: 'stdio', command: 'node', args: [offeringPath] }),
    'archive.json': text({
      name: 'archive',
      transport: 'streamable_http',
      url: `http://${notesAddress}/archive`,
      headers: { 'X-Shared-Key': `\${SHARED_KEY}` },
    }),
    'boxed.json': text({
      name: 'boxed',
      transport: 'stdio',
      image: 'example/boxed:1',
      env: { MODE: 'made-up' },
    }),
  };
}

/** Registered with the command line: their names fold alike, and so would the names of their secrets. */
export const programs: readonly Config[] = ['crm.eu', 'crm-eu', 'CRM_EU'].map((name) => ({
  ...{ name, transport: 'stdio', command: 'node', args: [faultPath] },
  env: { API_TOKEN: `made-up token of ${name}` },
}));

/** Registered over the API. */
export function notesConfig(notesAddress: string): Config {
  return {
    ...{ name: 'notes', transport: 'streamable_http', url: `http://${notesAddress}/notes` },
    headers: { 'X-Notes-Key': 'made-up key of notes' },
    bearer_token: 'made-up-bearer-token',
  };
}

export const research = `{
    "name": "research",
    "owner": "A field of our own, with ünïcödé, that nobody else knows",
    "included_tools": [ "everything__echo",
        "crm.eu__ask", "crm.eu__log", "crm.eu__env" ],
    "included_servers": ["offering"], "excluded_tools": ["offering__end"],
    "included_prompts": ["offering__two", "offering__one"],
    "included_resources": ["r://one"],
    "exposed_names": { "everything__echo": "say", "offering__two": "second" }
}`;

export const groupTools = {
  'svc-global': [
    'everything__trigger-long-running-operation',
    'crm.eu__env',
    'crm-eu__env',
    'CRM_EU__env',
    'everything__get-env',
    'boxed__open',
    'everything__echo',
  ],
  review: ['notes__whoami', 'notes__read', 'notes__gone', 'archive__whoami', 'filesystem__list_directory'],
};

function text(document: object): string {
  return `${JSON.stringify(document, null, 2)}\n`;
}
