import { execFileSync } from 'node:child_process';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { projectDir } from '../../support/service-command.ts';

const test = suite('files of the package');

/** Without the bundles, which `npm pack` makes. */
function packedFiles(): string[] {
  const args = ['pack', '--dry-run', '--json', '--ignore-scripts'];
  const text = execFileSync('npm', args, {
    cwd: projectDir,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return JSON.parse(text)[0].files.map(({ path }: { path: string }) => path);
}

const files = packedFiles();

test('there are no sources, no tests, no data and no settings among them', () => {
  const expected =
    /^(package\.json|README\.md|LICENSE|CHANGELOG\.md|SECURITY\.md|\.env\.example|bin\/[\w-]+\.js|dist\/[\w-]+\.mjs|docs\/\w+\.md|static\/[\w/.-]+|deploy\/(systemd|launchd)\/[\w/.-]+|lib\/database\/(migrations\/[\w-]+\.sql|drivers\/[\w-]+\.js))$/;

  assert.equal(
    files.filter((path) => !expected.test(path) || /(?<!\.d)\.ts$/.test(path)),
    [],
  );
});

test('the programs of package.json are among them, and what supervisors need', () => {
  for (const path of [
    ...['bin/svc-mcp.js', 'bin/gateway.js', 'bin/server.js', 'bin/import-program.js', '.env.example'],
    ...[
      'deploy/systemd/svc-mcp.service',
      'deploy/systemd/user/svc-mcp.service',
      'deploy/launchd/svc-mcp.plist',
    ],
  ])
    assert.ok(files.includes(path), path);
});

test.run();
