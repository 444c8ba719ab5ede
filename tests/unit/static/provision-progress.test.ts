import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { advance, fail, newProgress } from '../../../static/progress/provision-progress.js';
import { mayReplace } from '../../../static/progress/replacement.js';

const test = suite('the steps of a provision as the dashboard shows them');
type Event = Parameters<typeof advance>[1];
type Step = Extract<Event, ['step', unknown]>[1];
const at = (...events: Event[]) => events.reduce(advance, newProgress());
const done = {
  ...{
    message: '',
    name: 'time',
    container_running: true,
    tool_count: 1,
    tools: ['time__now'],
    warnings: [],
  },
};
const states = ({ steps }: ReturnType<typeof at>) => Object.values(steps);

test('a step is running when the service says so, those before it are done', () => {
  assert.equal(states(at(['step', { step: 'ready' }])), ['done', 'done', 'running', 'waiting']);
});

test('percent and layers are those that were measured, and are kept when later steps do not tell them', () => {
  const layers = { done: 1, total: 3 };
  const progress = at(['step', { step: 'pull', percent: 41.5, layers }], ['step', { step: 'start' }]);

  assert.is(progress.percent, 41.5);
  assert.equal(progress.layers, layers);
});

test('without a measured size there is no percentage', () => {
  assert.is(at(['step', { step: 'pull' }]).percent, undefined);
});

test('done brings the tools', () => {
  const progress = at(['step', { step: 'register' }], ['done', done]);

  assert.is(progress.outcome, 'done');
  assert.equal(states(progress), ['done', 'done', 'done', 'done']);
  assert.equal(progress.result, { name: 'time', tools: ['time__now'] });
});

test('done of an update has differences instead', () => {
  const tools = { added: [], removed: [], changed: [] };
  const updated = { message: '', name: 'time', old_digest: '', new_digest: '', tools, tool_count: 1 };

  const progress = at(['done', { success: true, ...updated }]);

  assert.is(progress.outcome, 'done');
  assert.is(progress.result, undefined);
});

test('failed names the step, the reason, the exit code and the last lines', () => {
  const details = {
    step: 'ready',
    exit_code: 3,
    log_tail: ['FATAL'],
    missing_variables: ['KEY'],
    undone: true,
  };
  const progress = at(
    ['step', { step: 'start' }],
    ['failed', { success: false, request_id: '', error: 'It exits.', code: 'provision_failed', details }],
  );

  assert.equal(states(progress), ['done', 'done', 'failed', 'waiting']);
  assert.equal(progress.failure, {
    ...{ reason: 'It exits.', code: 'provision_failed', exitCode: 3 },
    ...{ log: ['FATAL'], missing: ['KEY'], isUndone: true },
  });
});

test('a connection that breaks fails the step that was under way', () => {
  const progress = fail(at(['step', { step: 'start' }]), { message: 'The connection broke.', details: {} });

  assert.equal(states(progress), ['done', 'failed', 'waiting', 'waiting']);
  assert.is(progress.failure?.isUndone, undefined);
});

test('a step or an event of a newer service changes nothing', () => {
  const before = at(['step', { step: 'start' }]);

  assert.equal(advance(before, ['step', { step: 'scan' } as unknown as Step]), before);
  assert.equal(advance(before, ['hint', {}] as unknown as Event), before);
});

test('a name that is taken is told apart from other conflicts, with what it would replace', () => {
  const details = {
    ...{ server: 'crm', tools: ['crm__get'], affected_groups: { support: ['crm__get'] } },
    ...{ origin_changes: true, needs_admin: true },
  };

  const taken = fail(newProgress(), { message: 'It is there.', code: 'conflict', details });
  const busy = fail(newProgress(), { message: 'Another is under way.', code: 'conflict', details: {} });

  const groups = { support: ['crm__get'] };
  assert.equal(taken.failure?.replaces, { server: 'crm', groups, isElsewhere: true, needsAdmin: true });
  assert.is(busy.failure?.replaces, undefined);
  assert.not(mayReplace(taken.failure?.replaces, false));
  assert.ok(mayReplace(taken.failure?.replaces, true));
  assert.not(mayReplace(undefined, true));
});

test('files that would be lost are told apart from other failures', () => {
  const failure = {
    message: 'It would lose them.',
    code: 'data_at_risk',
    details: { paths: ['/a', '/b'], count: 40 },
  };

  assert.equal(fail(newProgress(), failure).failure?.risk, {
    paths: ['/a', '/b'],
    count: 40,
  });
  assert.is(fail(newProgress(), { ...failure, code: 'conflict' }).failure?.risk, undefined);
  const refused = { ...failure, details: { ...failure.details, needs_admin: true } };
  assert.is(fail(newProgress(), refused).failure?.risk, undefined);
});

test.run();
