import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createToolJudge, judgeTools } from '../../../lib/catalog/tool-judge.ts';
import { logProblems, someProblems } from '../../../lib/definitions/some-problems.ts';
import { createRecordingLog } from '../../support/recording-log.ts';

const test = suite('judging the tools of a server');

const tool = (name: string, members = '"inputSchema":{"type":"object"}') => {
  const definition = `{"name":"${name}",${members}}`;
  return { name, definition, hash: definition, firstListedAt: new Date(0) };
};

test('a definition is judged once, and what is lawful is shown as the very string that is at hand', () => {
  const judge = createToolJudge();
  const first = judge.judge(tool('a'));

  assert.is(judge.judge(tool('a')), first);
  const { tools, listed } = judgeTools('s', [tool('a')], judge);
  assert.is(tools[0]?.shown, tools[0]?.definition);
  assert.is(listed, tools);
});

test('a server that lists another long definition each time does not fill the memory', () => {
  const judge = createToolJudge();
  const long = (name: string) => tool(name, `"description":"${name.repeat(1_000_000)}","inputSchema":null`);
  const first = judge.judge(long('a'));

  assert.is(judge.judge(long('a')), first);
  for (const name of 'bcdefghijklmnopqrstuvwxyz') judge.judge(long(name));

  assert.is.not(judge.judge(long('a')), first);
});

test('judging very many lets others have their turns in between', async () => {
  const judge = createToolJudge();
  const tools = Array.from({ length: 400 }, (_, at) => tool(`t${at}`, `"x":"${'x'.repeat(1_000)}"`));
  let turns = 0;
  let isDone = false;
  const others = (async () => {
    while (!isDone) {
      await new Promise((resolve) => setImmediate(resolve));
      turns++;
    }
  })();

  await judge.judgeAhead(tools);
  isDone = true;
  await others;

  assert.ok(turns >= 4, `${turns} turns`);
});

test('problems are told of once for each change, twenty at a time', () => {
  const { log, logged } = createRecordingLog();
  const problems = Array.from({ length: 25 }, (_, at) => `Problem ${at}.`);

  logProblems(log, { name: 's', problems }, undefined);
  logProblems(log, { name: 's', problems: [...problems] }, { name: 's', problems });
  logProblems(log, { name: 's', problems: [] }, { name: 's', problems });

  assert.is(logged.length, 1);
  assert.equal(someProblems(problems)?.slice(19), ['Problem 19.', 'And 5 more.']);
  assert.is(someProblems([]), undefined);
});

test.run();
