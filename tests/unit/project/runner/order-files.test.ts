import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { findTests } from '../../../run/find-tests.ts';
import { inTurn, longest, mostlyWaiting, orderFiles } from '../../../run/order-files.ts';

const test = suite('the order of test files');
const testsDir = fileURLToPath(new URL('../../..', import.meta.url));

test('each file is in exactly one of the three, the long ones first', () => {
  const [long, longer] = [`/t/${longest[1]}.test.ts`, `/t/${longest[0]}.test.ts`];
  const waiting = `/t/${mostlyWaiting[0]}.test.ts`;

  const alone = `/t/${inTurn[0]}.test.ts`;

  const order = orderFiles(['/t/unit/a.test.ts', waiting, long, alone, '/t/unit/b.test.ts', longer]);

  assert.equal(order, {
    waiting: [waiting],
    working: [longer, long, '/t/unit/a.test.ts', '/t/unit/b.test.ts'],
    inTurn: [alone],
  });
});

test('each name in it is that of a file', () => {
  const files = (['unit', 'contract', 'dashboard'] as const).flatMap((kind) => findTests(testsDir, kind, []));
  const missing = [...longest, ...mostlyWaiting, ...inTurn].filter(
    (name) => !files.some((file) => file.endsWith(`/${name}.test.ts`)),
  );

  assert.equal(missing, []);
});

test.run();
