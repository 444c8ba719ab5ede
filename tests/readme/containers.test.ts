import * as assert from 'uvu/assert';
import { documentSuite } from './document-suite.ts';
import { type FreshClone, installPackages } from './fresh-clone.ts';

const ofStack = (file: string, holds: string) => ({ elsewhere: { file: `tests/stack/${file}`, holds } });
const ofUpdates = (file: string, holds: string) => ({ elsewhere: { file: `tests/${file}`, holds } });
const byHand = {
  skipped: 'it takes away what a real stack left; by its labels and over `make clean` in tests/stack/',
};
const ofProject = '--filter label=svc-mcp.project=$PROJECT';

const runLine = 'docker run -i --rm -v /srv/project:/work:ro -e API_KEY=… acme/tool:1 --quiet';

const test = documentSuite({
  path: 'docs/containers.md',
  async prepare(clone) {
    installPackages(clone);
    await clone.startService();
  },
  commands: [
    [
      `echo '${runLine}' | npx svc-mcp import -`,
      {
        before: assertConverts,
        skipped: 'it would pull an image from the world; what it becomes was asked of the API',
      },
    ],
    [
      "docker compose exec manager sh -c 'cat >> .secrets/secrets.env'",
      { skipped: 'it needs the stack, whose own tests give it no secrets' },
    ],
    ['npx svc-mcp list servers', { stdout: /^everything/m }],
    ['npx svc-mcp update notes --check', ofUpdates('unit/cli/update.test.ts', "'--check'")],
    ['npx svc-mcp update notes --dry-run', ofUpdates('unit/cli/update.test.ts', "'--dry-run'")],
    ['npx svc-mcp update notes', ofUpdates('end-to-end/container-updates.test.ts', '/update`')],
    ['npx svc-mcp rollback notes', ofUpdates('end-to-end/container-updates.test.ts', '/rollback`')],
    ['docker compose up -d', ofStack('plain-compose-tests.ts', "['up', '-d']")],
    ['docker compose restart', ofStack('container-server-tests.ts', "['restart']")],
    ['docker compose down', ofStack('plain-compose-tests.ts', "['down']")],
    ['docker compose down -v', ofStack('removal-tests.ts', "'down', '-v'")],
    [`docker ps -aq ${ofProject} | xargs -r docker rm -f -v`, byHand],
    [`docker volume ls -q ${ofProject} | xargs -r docker volume rm`, byHand],
    [`docker network ls -q ${ofProject} | xargs -r docker network rm`, byHand],
  ],
});

async function assertConverts({ managerUrl }: FreshClone): Promise<void> {
  const answer = await fetch(`${managerUrl}/api/servers/convert`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ command_line: runLine }),
  });
  const { configs } = (await answer.json()) as { configs: Record<string, unknown>[] };
  assert.equal(
    configs.map(({ name, image, args, volumes }) => [name, image, args, volumes]),
    [['tool', 'acme/tool:1', ['--quiet'], [{ path: '/work', source: '/srv/project', read_only: true }]]],
  );
}

test.run();
