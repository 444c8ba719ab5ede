/** The manifests of deploy/kubernetes, judged by the schema that Kubernetes publishes. */
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { kubernetesVersions, openKubernetesSchema } from '../support/kubernetes-schema.ts';
import { runCommand } from '../support/run-command.ts';
import { projectDir } from '../support/service-command.ts';
import { readText } from '../support/source-files.ts';

const suiteOfTests = suite('deploy/kubernetes and the published schema');
const check = await openKubernetesSchema();
const test = check === undefined ? suiteOfTests.skip : suiteOfTests;

const names = ['namespace', 'gateway', 'manager', 'network-policy', 'files-from-configmaps/manager-files'];
const files = names.map((name) => join(projectDir, 'deploy/kubernetes', `${name}.yaml`));
const whole = files.slice(0, -1);

for (const version of kubernetesVersions) {
  test(`every manifest is one of Kubernetes ${version}`, async () => {
    assert.equal(await check?.(version, whole), ['7 documents']);
  });
}

test('a manifest with a field that is none is told', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-manifests-'));
  const path = join(folder, 'gateway.yaml');
  writeFileSync(path, readText('deploy/kubernetes/gateway.yaml').replace('readinessProbe:', 'readyProbe:'));
  const [problem = '', count] = (await check?.('1.37', [path])) ?? [];
  rmSync(folder, { recursive: true });

  assert.match(problem, 'Deployment');
  assert.match(problem, 'readyProbe');
  assert.is(count, '3 documents');
});

for (const isFromConfigMaps of [false, true]) {
  test(`kubectl puts them together, ${isFromConfigMaps ? 'with' : 'without'} files from ConfigMaps`, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'svc-manifests-'));
    cpSync(join(projectDir, 'deploy/kubernetes'), folder, { recursive: true });
    const path = join(folder, 'kustomization.yaml');
    const text = readFileSync(path, 'utf8');
    if (isFromConfigMaps) writeFileSync(path, text.replace(/^# (components:| {2}- files-)/gm, '$1'));
    const built = await runCommand('kubectl', ['kustomize', folder], { cwd: folder, env: process.env }).catch(
      () => undefined,
    );
    if (built === undefined) console.error('kubectl kustomize: skipped, there is no kubectl');
    else {
      assert.is(built.code, 0, built.stderr);
      writeFileSync(join(folder, 'all.yaml'), built.stdout);
      const found = await check?.('1.37', [join(folder, 'all.yaml')]);
      assert.equal(found, [isFromConfigMaps ? '8 documents' : '6 documents']);
      assert.is(built.stdout.includes('value: /etc/svc-mcp/groups'), isFromConfigMaps);
    }
    rmSync(folder, { recursive: true });
  });
}

suiteOfTests.run();
