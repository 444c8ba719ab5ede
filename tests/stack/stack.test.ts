/**
 * The whole stack, as `make` starts it from a fresh checkout: a real engine, real containers, the compose command of
 * this machine. The tests build on one another.
 */
import { suite } from 'uvu';
import { type Agent, createAgent } from './agent.ts';
import { createCheckout } from './checkout.ts';
import { addContainerServerTests, registryProblem } from './container-server-tests.ts';
import { composeCommand, stackProblem } from './engine.ts';
import { addFirstUpTests } from './first-up-tests.ts';
import { addPlainComposeTests, addUnpreparedTests } from './plain-compose-tests.ts';
import { addRecoveryTests } from './recovery-tests.ts';
import { addRemovalTests } from './removal-tests.ts';
import { addStandInImages } from './stand-in-images.ts';

const test = suite('the whole stack');
const problem = await stackProblem();
if (problem === undefined) await addTests();
else {
  console.error(`the whole stack is skipped: ${problem}`);
  test.skip('everything', () => {});
}

async function addTests(): Promise<void> {
  const removeImages = await addStandInImages();
  const checkout = await createCheckout(await composeCommand());
  let agent: Promise<Agent> | undefined;
  const stack = {
    checkout,
    agent() {
      agent ??= createAgent(checkout);
      return agent;
    },
  };
  test.after(async () => {
    await checkout.remove();
    await removeImages();
  });
  addUnpreparedTests(test, stack);
  addFirstUpTests(test, stack);
  addPlainComposeTests(test, stack);
  const noRegistry = await registryProblem();
  if (noRegistry === undefined) addContainerServerTests(test, stack);
  else {
    console.error(`servers in containers are skipped: ${noRegistry}`);
    test.skip('servers in containers', () => {});
  }
  addRecoveryTests(test, stack);
  addRemovalTests(test, stack);
}

test.run();
