import { documentSuite } from './document-suite.ts';
import { installPackages } from './fresh-clone.ts';

const ofStack = (file: string, holds: string) => ({ elsewhere: { file: `tests/stack/${file}`, holds } });
const ofUpdates = (file: string, holds: string) => ({ elsewhere: { file: `tests/${file}`, holds } });
const byHand = {
  skipped: 'it takes away what a real stack left; by its labels and over `make clean` in tests/stack/',
};
const ofProject = '--filter label=svc-mcp.project=$PROJECT';

documentSuite({
  path: 'docs/containers.md',
  async prepare(clone) {
    installPackages(clone);
    await clone.startService();
  },
  commands: [
    [
      `echo 'docker run -i --rm -v /srv/project:/work:ro -e API_KEY=… acme/tool:1 --quiet' | npx gateway import -`,
      {
        before: (clone) => clone.run('npx gateway list servers'),
        exit: 1,
        stderr: /^tool: /m,
      },
    ],
    [
      "docker compose exec manager sh -c 'cat >> .secrets/secrets.env'",
      { skipped: 'it needs the stack, whose own tests give it no secrets' },
    ],
    ['npx gateway list servers', { stdout: /^everything/m }],
    ['npx gateway update notes --check', ofUpdates('unit/cli/update.test.ts', "'--check'")],
    ['npx gateway update notes --dry-run', ofUpdates('unit/cli/update.test.ts', "'--dry-run'")],
    ['npx gateway update notes', ofUpdates('end-to-end/container-updates.test.ts', '/update`')],
    ['npx gateway rollback notes', ofUpdates('end-to-end/container-updates.test.ts', '/rollback`')],
    ['docker compose up -d', ofStack('plain-compose-tests.ts', "['up', '-d']")],
    ['docker compose restart', ofStack('container-server-tests.ts', "['restart']")],
    ['docker compose down', ofStack('plain-compose-tests.ts', "['down']")],
    ['docker compose down -v', ofStack('removal-tests.ts', "'down', '-v'")],
    [`docker ps -aq ${ofProject} | xargs -r docker rm -f -v`, byHand],
    [`docker volume ls -q ${ofProject} | xargs -r docker volume rm`, byHand],
    [`docker network ls -q ${ofProject} | xargs -r docker network rm`, byHand],
  ],
});
