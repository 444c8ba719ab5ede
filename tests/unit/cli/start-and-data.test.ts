import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { dataFolderIn } from '../../../lib/cli/data-option.ts';
import { type StubService, startStubService } from './stub-service.ts';

const test = suite('svc-mcp start and --data');
let service: StubService;

test.before(async () => {
  service = await startStubService();
});

test.after(() => service.close());

test('the folder is found before and after the command, but not behind `--`', () => {
  for (const args of [
    ['--data', 'd', 'start'],
    ['start', '--data', 'd'],
    ['list', 'tools', '--data=d'],
  ])
    assert.is(dataFolderIn(args), 'd', args.join(' '));
  for (const args of [[], ['start', '--data'], ['--data='], ['example', 'filesystem', '--', '--data', 'd']])
    assert.is(dataFolderIn(args), undefined, args.join(' '));
});

test('a folder that is missing or empty is wrong usage, and starts nothing', async () => {
  for (const args of [
    ['start', '--data'],
    ['start', '--data', ''],
    ['--data', ' ', 'list', 'tools'],
  ]) {
    const { code, stderr } = await service.run(args);

    assert.is(code, 2, args.join(' '));
    assert.match(stderr, '--data');
  }
});

test('every command takes it, and says so', async () => {
  for (const command of ['start', 'register', 'list', 'call', 'example']) {
    const { stdout } = await service.run([command, '--help']);
    assert.match(stdout, '--data <folder>', command);
  }
});

test('start takes no argument, and an unknown example is named', async () => {
  const extra = await service.run(['start', 'now']);
  const unknown = await service.run(['example', 'weather']);

  assert.is(extra.code, 2);
  assert.is(unknown.code, 2);
  assert.match(unknown.stderr, 'everything, filesystem');
});

test.run();
