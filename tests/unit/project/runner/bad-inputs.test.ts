import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { textBytes } from '../../../bad-inputs/case.ts';
import { printReport } from '../../../bad-inputs/print-report.ts';
import { requestBytes } from '../../../bad-inputs/request-bytes.ts';
import { combine, jsonrpcCode, judgeAnswer, judgeCommand, judgeValue } from '../../../bad-inputs/verdict.ts';
import type { RawAnswer } from '../../../support/raw-http.ts';

const test = suite('bad inputs, the runner');

const good: RawAnswer = {
  status: 200,
  head: 'Content-Type: application/json',
  body: '{}',
  milliseconds: 5,
  isClosed: false,
  isComplete: true,
};

function gradeOf(expect: Parameters<typeof judgeAnswer>[0], answer: Partial<RawAnswer>) {
  return judgeAnswer(expect, { ...good, ...answer }, ['/project']).grade;
}

test('the first value is exact, the others are tolerated, the rest has failed', () => {
  assert.is(judgeValue('status', [400, 404], 400).grade, 'exact');
  assert.is(judgeValue('status', [400, 404], 404).grade, 'tolerated');
  assert.is(judgeValue('status', [400, 404], 500).grade, 'failed');
  assert.is(judgeValue<number>('status', [400], undefined).grade, 'failed');
});

test('a nested first value makes all in it exact, an empty list takes anything', () => {
  assert.is(judgeValue('status', [[403, 400], 422], 400).grade, 'exact');
  assert.is(judgeValue('status', [[403, 400], 422], 422).grade, 'tolerated');
  assert.is(judgeValue('status', [], 500).grade, 'exact');
});

test('where one of several requests may succeed, the refusal of the others is exact', () => {
  assert.is(gradeOf({ status: [201, 409], successes: 1 }, { status: 409 }), 'exact');
  assert.is(gradeOf({ status: [201, 409], successes: 1 }, { status: 500 }), 'failed');
});

test('the worst judgement counts', () => {
  const exact = { grade: 'exact', deviations: [] } as const;

  assert.is(combine([exact, { grade: 'tolerated', deviations: ['a'] }]).grade, 'tolerated');
  assert.is(
    combine([
      { grade: 'failed', deviations: [] },
      { grade: 'tolerated', deviations: [] },
    ]).grade,
    'failed',
  );
});

test('an answer that shows a stack or a path of the machine has failed', () => {
  assert.is(gradeOf({ status: [200] }, {}), 'exact');
  assert.is(gradeOf({ status: [200] }, { body: 'Error: x\n    at run (file.js:1:2)' }), 'failed');
  assert.is(gradeOf({ status: [200] }, { body: '{"error":"ENOENT /project/groups"}' }), 'failed');
});

test('an answer that is too slow, too long or never ends has failed', () => {
  assert.is(gradeOf({ status: [200], maxMs: 4 }, {}), 'failed');
  assert.is(gradeOf({ status: [200], maxBytes: 1 }, {}), 'failed');
  assert.is(gradeOf({ status: [200] }, { isComplete: false }), 'failed');
  assert.is(gradeOf({ status: [200], mayStream: true }, { isComplete: false }), 'exact');
});

test('closing without an answer is fine only where the case says so, and in time', () => {
  const closed = { status: undefined, body: '', isComplete: false, isClosed: true };

  assert.is(gradeOf({ status: [408] }, closed), 'failed');
  assert.is(gradeOf({ status: [408], mayCloseWithoutAnswer: true, closedWithinSeconds: 1 }, closed), 'exact');
  assert.is(
    gradeOf(
      { status: [408], mayCloseWithoutAnswer: true, closedWithinSeconds: 1 },
      { ...closed, milliseconds: 1500 },
    ),
    'failed',
  );
});

test('the JSON-RPC code is read from JSON, batches and event streams', () => {
  assert.is(jsonrpcCode('{"error":{"code":-32600}}'), -32600);
  assert.is(jsonrpcCode('[{"result":{}},{"error":{"code":-32601}}]'), -32601);
  assert.is(jsonrpcCode('event: message\ndata: {"error":{"code":-32602}}\n\n'), -32602);
  assert.is(jsonrpcCode('{"result":{}}'), null);
});

test('a batch must bring each answer or be refused', () => {
  const expect = { status: [200], answersOrError: 2 };

  assert.is(gradeOf(expect, { body: '[{"id":1},{"id":1}]' }), 'exact');
  assert.is(gradeOf(expect, { body: '[{"id":1}]' }), 'failed');
  assert.is(gradeOf(expect, { body: '{"error":{"code":-32600}}' }), 'exact');
});

test('a command line must say what is wrong, without a stack', () => {
  const result = { code: 1, stdout: '', stderr: 'no such file', milliseconds: 9 };
  const expect = { status: [1, 2], stderrNotEmpty: true, noStack: true };

  assert.is(judgeCommand(expect, result).grade, 'exact');
  assert.is(judgeCommand(expect, { ...result, stderr: '' }).grade, 'failed');
  assert.is(judgeCommand(expect, { ...result, stderr: 'E\n    at x (y.ts:1:1)' }).grade, 'failed');
  assert.is(judgeCommand({ ...expect, outputMustContain: ['PORT'] }, result).grade, 'failed');
});

test('texts are put together from their parts, placeholders filled in', () => {
  const text = textBytes(
    { concat: ['{"a":"{tool}","b":[', { repeat: '1,', times: 2 }, '1],', { keys: 2 }, '}'] },
    { tool: 'x__y' },
  );

  assert.is(text.toString(), '{"a":"x__y","b":[1,1,1],"k0":1,"k1":1}');
  assert.equal(textBytes({ base64: '//4=' }, {}), Buffer.from([255, 254]));
});

test('a request goes out as it is given, with Host and length only where they are missing', () => {
  const request = {
    target: 'gateway',
    method: 'POST',
    path: '/{group}',
    headers: { 'X-A': ['1', '2'] },
    body: 'é',
  };

  assert.is(
    requestBytes({ ...request, target: 'gateway' }, 80, { group: 'g' }).toString(),
    'POST /g HTTP/1.1\r\nHost: 127.0.0.1:80\r\nContent-Length: 2\r\nX-A: 1\r\nX-A: 2\r\n\r\né',
  );
  const odd = requestBytes(
    { target: 'gateway', method: 'GET', path: '/', headers: { Host: null, 'Content-Length': '9' }, body: '' },
    80,
    {},
  );
  assert.is(odd.toString(), 'GET / HTTP/1.1\r\nContent-Length: 9\r\n\r\n');
});

test('a chunked body carries its chunk sizes and no length', () => {
  const bytes = requestBytes(
    {
      target: 'gateway',
      method: 'POST',
      path: '/',
      headers: { 'Transfer-Encoding': 'chunked' },
      chunkedBody: 'hello',
    },
    80,
    {},
  ).toString();

  assert.ok(bytes.endsWith('\r\n\r\n5\r\nhello\r\n0\r\n\r\n'));
  assert.not.match(bytes, /content-length/i);
});

function reported(...grades: [id: string, grade: 'exact' | 'tolerated' | 'failed'][]) {
  const lines: string[] = [];
  const results = grades.map(([id, grade]) => ({
    input: {
      id,
      why: 'odd',
      expect: { status: [400] },
      target: 'gateway',
      method: 'GET',
      path: '/',
      headers: {},
    },
    verdict: { grade, deviations: grade === 'exact' ? [] : ['status'] },
  })) as Parameters<typeof printReport>[0];
  const code = printReport(results, { 'a-1': 'The guard says so.' }, (line) => lines.push(line));
  return { code, last: lines.at(-1), text: lines.join('\n') };
}

test('a tolerated answer passes only where it is argued for', () => {
  const argued = reported(['a-1', 'tolerated'], ['b-1', 'exact']);
  const unargued = reported(['a-1', 'tolerated'], ['b-1', 'tolerated']);

  assert.equal([argued.code, argued.last], [0, '2 passed, 0 failed']);
  assert.match(argued.text, /The guard says so/);
  assert.equal([unargued.code, unargued.last], [1, '1 passed, 1 failed']);
  assert.match(unargued.text, /TOLERATED {2}b-1: status/);
});

test('an argument for an answer that is exact by now is a failure', () => {
  assert.is(reported(['a-1', 'exact']).code, 1);
  assert.is(reported(['b-1', 'failed']).code, 1);
});

test.run();
