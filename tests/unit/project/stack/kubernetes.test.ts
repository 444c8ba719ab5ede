import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { parseConfigFile } from '../../../../lib/config/config-files.ts';
import { parseGroup } from '../../../../lib/groups/files/parse-group.ts';
import { readSettings } from '../../../../lib/settings/settings.ts';
import { projectDir } from '../../../support/service-command.ts';
import { readText } from '../../../support/source-files.ts';

const test = suite('deploy/kubernetes');

const folder = 'deploy/kubernetes';
const workloads = ['gateway', 'manager'] as const;
const manifest = (name: string) => readText(`${folder}/${name}.yaml`);

/** A setting's value, or `from KEY` of the Secret. */
function environmentOf(text: string): Record<string, string> {
  const entries = text.matchAll(
    /- name: ([A-Z_]+)\n +(?:value: "?(.*?)"?|valueFrom:\n +secretKeyRef:\n +name: svc-mcp\n +key: (.*))\n/g,
  );
  return Object.fromEntries([...entries].map(([, name = '', value, key]) => [name, value ?? `from ${key}`]));
}

/** As they would be with values in the Secret. */
function settingsOf(text: string) {
  const environment = environmentOf(text);
  return readSettings({ ...environment, DATABASE_URL: 'postgres://user:password@postgres/database' });
}

/** Node's own, and a setting that comes with the draining of ports. */
const others = ['NODE_COMPILE_CACHE'];

test('every variable is a setting that the service reads', () => {
  const known = readText('.env.example')
    .match(/^#[A-Z_]+(?==)/gm)
    ?.map((line) => line.slice(1));
  const texts = [...workloads, 'files-from-configmaps/manager-files'].map(manifest);
  const names = texts.flatMap((text) => Object.keys(environmentOf(text)));

  assert.ok(names.length > 20);
  assert.equal(
    names.filter((name) => !known?.includes(name) && !others.includes(name)),
    [],
  );
});

test('the service starts with these settings, each role with its token', () => {
  const [gateway, manager] = [settingsOf(manifest('gateway')), settingsOf(manifest('manager'))];

  assert.equal([[...gateway.roles], [...manager.roles]], [['gateway'], ['manager']]);
  assert.equal([gateway.host, manager.host], ['0.0.0.0', '0.0.0.0']);
  assert.is(gateway.adminToken, undefined);
  assert.is(manager.gatewayToken, gateway.gatewayToken);
});

test('what is secret comes from the Secret, and no value stands in the tree', () => {
  for (const name of workloads) {
    const secret = Object.entries(environmentOf(manifest(name))).filter(([, value]) =>
      value.startsWith('from '),
    );
    const wanted = {
      gateway: ['DATABASE_URL', 'GATEWAY_TOKEN'],
      manager: ['ADMIN_TOKEN', 'DATABASE_URL', 'GATEWAY_TOKEN'],
    };
    assert.equal(secret.map(([variable]) => variable).sort(), wanted[name]);
  }
  const kinds = workloads.flatMap((name) =>
    [...manifest(name).matchAll(/^kind: (.*)$/gm)].map(([, kind]) => kind),
  );
  assert.not(kinds.includes('Secret'));
});

test('probes ask for paths that there are, at the port that the service listens on', () => {
  const ports = {
    gateway: settingsOf(manifest('gateway')).gatewayPort,
    manager: settingsOf(manifest('manager')).managerPort,
  };
  for (const name of workloads) {
    const text = manifest(name);
    const paths = [
      ...text.matchAll(/(startup|liveness|readiness)Probe:\n +httpGet:\n +path: (.*)\n +port: (.*)\n/g),
    ];
    const named = name === 'gateway' ? 'mcp' : 'manager';

    assert.equal(
      paths.map(([, probe, path, port]) => [probe, path, port]),
      [
        ['startup', '/healthz', named],
        ['liveness', '/healthz', named],
        ['readiness', '/readyz', named],
      ],
    );
    assert.match(text, `- name: ${named}\n              containerPort: ${ports[name]}\n`);
    assert.match(text, `- name: ${named}\n      port: ${ports[name]}\n      targetPort: ${named}\n`);
  }
});

test('the processes find each other by names that they answer to', () => {
  const [gateway, manager] = [settingsOf(manifest('gateway')), settingsOf(manifest('manager'))];
  const environment = environmentOf(manifest('manager'));
  const host = (url: string | undefined) => new URL(url ?? '').hostname;

  assert.ok(manager.allowedHosts.includes(host(manager.internalManagerUrl)));
  assert.ok(gateway.allowedHosts.includes(host(manager.publicGatewayUrl)));
  assert.ok(gateway.allowedHosts.includes(host(environment.INTERNAL_GATEWAY_URL)));
  for (const [settings, name] of [
    [gateway, 'gateway'],
    [manager, 'manager'],
  ] as const) {
    assert.match(manifest(name), `kind: Service\nmetadata:\n  name: ${settings.allowedHosts[0]}\n`);
  }
});

test('a pod gets the time that its service takes to drain, to end its calls and to close', () => {
  for (const name of workloads) {
    const { DRAIN_SECONDS = '0', SHUTDOWN_SECONDS } = environmentOf(manifest(name));
    const [, grace] = /terminationGracePeriodSeconds: (\d+)/.exec(manifest(name)) ?? [];
    assert.ok(Number(grace) >= Number(DRAIN_SECONDS) + Number(SHUTDOWN_SECONDS) + 15, name);
  }
});

test('a gateway has no volume, and only the manager has files', () => {
  assert.not.match(manifest('gateway'), /volume/i);
  const { dataDir, groupsDir, configsDir } = settingsOf(manifest('manager'));
  for (const path of [dataDir, groupsDir, configsDir]) assert.match(path, /^\/data\//);
});

test('containers run as nobody in particular, and may not do more than they need', () => {
  for (const name of workloads) {
    for (const line of [
      'runAsNonRoot: true',
      'type: RuntimeDefault',
      'allowPrivilegeEscalation: false',
      'readOnlyRootFilesystem: true',
      'drop: [ALL]',
      'automountServiceAccountToken: false',
    ]) {
      assert.match(manifest(name), line);
    }
  }
});

test('kustomization.yaml lists what is there, under the placeholder of the image', () => {
  const text = manifest('kustomization');
  const listed = [...text.matchAll(/^ {2}(?:# )?- (.*\.yaml)$/gm)].map(([, file = '']) => file);
  const files = readdirSync(join(projectDir, folder)).filter((file) => file.endsWith('.yaml'));
  const [, image = ''] = /^ {2}- name: (.*)$/m.exec(text) ?? [];

  assert.equal(listed.sort(), files.filter((file) => file !== 'kustomization.yaml').sort());
  for (const name of workloads) assert.match(manifest(name), `image: ${image}:`);
});

test('the files of its ConfigMaps are a group and a config that can be used', () => {
  const read = (path: string) => readText(`${folder}/files-from-configmaps/${path}`);
  const listed = [...read('kustomization.yaml').matchAll(/^ {6}- (.*\.json)$/gm)].map(
    ([, file = '']) => file,
  );

  assert.equal(listed, ['groups/svc-global.json', 'configs/everything.json']);
  const group = parseGroup('svc-global', { text: read(listed[0] ?? ''), etag: '""', modifiedAt: new Date() });
  assert.ok('group' in group);
  assert.ok('config' in parseConfigFile('everything', read(listed[1] ?? '')));
});

test.run();
