/** What the manager's handlers can reach when they run, whatever types say: only what one of them names. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { managerContext } from '../../../handlers/manager/manager-context.ts';
import { silentLog } from '../../../lib/log.ts';
import { createManagerContext } from '../../support/manager-context.ts';
import { createRealServices, type RealServices } from '../../support/real-services.ts';
import { listFiles } from '../../support/source-files.ts';

const test = suite('the manager’s context');
let real: RealServices;

test.before(async () => {
  real = await createRealServices();
});

test.after(async () => void (await real.close()));

function contextOfServices() {
  return managerContext(real.services, {
    service: createManagerContext().service,
    log: silentLog,
    isAdministrator: false,
    mayTry: false,
  });
}

const makers = ['handlers/manager/context.ts', 'handlers/manager/manager-context.ts'];
const handlers = listFiles().filter((path) => path.startsWith('handlers/manager/') && !makers.includes(path));

/** The handlers, and the functions of `lib` that they hand their context to. */
function sources(): string {
  const imported = handlers.flatMap((path) =>
    [...readFileSync(path, 'utf8').matchAll(/from '(\.[^']*\/lib\/[^']+)'/g)].map(([, from = '']) =>
      join(dirname(path), from),
    ),
  );
  return [...new Set([...handlers, ...imported])].map((path) => readFileSync(path, 'utf8')).join('\n');
}

/** `Pick<ManagerContext, 'name'>`, or a destructured parameter of a route. */
function namedMembers(): ReadonlySet<string> {
  const text = [makers[0] ?? '', ...handlers].map((path) => readFileSync(path, 'utf8')).join('\n');
  const picked = [...text.matchAll(/Pick<\s*ManagerContext,([^>]*)>/g)].flatMap(([, names = '']) =>
    [...names.matchAll(/'(\w+)'/g)].map(([, name = '']) => name),
  );
  const inRoutes = [...text.matchAll(/_request, \{ (\w+) \}\) =>/g)].map(([, name = '']) => name);
  return new Set([...picked, ...inRoutes]);
}

test('every member is named by a handler', () => {
  const named = namedMembers();

  assert.equal(
    Object.keys(contextOfServices()).filter((name) => !named.has(name)),
    [],
  );
});

test('every member of a member is called by a handler, or by a function that it hands its context to', () => {
  const text = sources();
  const unused = Object.entries(contextOfServices()).flatMap(([name, member]) => {
    const members = typeof member === 'object' && name !== 'log' ? Object.keys(member) : [];
    // An object of one function is there for that function.
    if (members.length === 1) return [];
    const isUsed = (key: string) =>
      new RegExp(`\\b${name}\\s*\\??\\.${key}\\b`).test(text) ||
      new RegExp(`\\{[^{}]*\\b${key}\\b[^{}]*\\} = (context|deps)?\\.?${name}\\b`).test(text);
    return members.filter((key) => !isUsed(key)).map((key) => `${name}.${key}`);
  });

  assert.equal(unused, []);
});

test('nothing in it is the database, the engine, or ends or loads a service', () => {
  const { services } = real;
  const forbidden: readonly unknown[] = [
    ...[services.database, services.host, services.host.containers, services.files, services.ownUpstreams],
    ...[
      services.groups.close,
      services.groupsSource.loadFromFiles,
      services.catalog.load,
      services.catalog.store,
    ],
    ...[services.registry.close, services.registry.configOf, services.registry.storeTools],
    ...[services.upstreams.close, services.upstreams.install, services.upstreams.remove],
    ...[services.secrets.read, services.secrets.write, services.secrets.remove],
    ...[services.bus.publish, services.bus.close, services.host.containerStore.remove],
  ];
  const context = contextOfServices();
  const reached = Object.values(context).flatMap((member) => [
    member,
    ...(typeof member === 'object' && member !== null ? Object.values(member) : []),
  ]);

  assert.ok(forbidden.every((one) => one !== undefined));
  assert.is(reached.filter((one) => forbidden.includes(one)).length, 0);
});

test.run();
