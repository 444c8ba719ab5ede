import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { ToolListing } from '../../../lib/catalog/catalog.ts';
import { createSessionLists } from '../../../lib/upstreams/sessions/session-lists.ts';

const turns = () => new Promise((resolve) => setImmediate(resolve));

const test = suite('what a stateful server lists to its sessions');

function listing(...names: readonly string[]): ToolListing {
  return names.map((text) => ({ name: text.replace(/\d/, ''), definition: `{"name":"${text}"}` }));
}

/** A server whose listing connection lists `full`. */
function server(full: ToolListing) {
  const told: string[] = [];
  let starts = 0;
  const lists = createSessionLists({
    list: async () => {
      starts += 1;
      lists.listed(full);
    },
    onTools: (tools) => told.push(tools.map(({ definition }) => JSON.parse(definition).name).join(' ')),
  });
  return { lists, told, starts: () => starts };
}

test('what a client that declared less is not listed stays', async () => {
  const { lists, told } = server([]);
  lists.listed(listing('echo', 'sample', 'elicit'));

  lists.forSession()(listing('echo', 'elicit'));
  lists.forSession()(listing('echo'));
  await turns();

  assert.equal(told, ['echo sample elicit']);
});

test('what is new, is other or was taken away in a session is news for everybody', async () => {
  const { lists, told } = server([]);
  lists.listed(Object.assign(listing('echo', 'sample'), { problems: ['one'] }));
  const take = lists.forSession();

  take(listing('echo', 'later'));
  await turns();
  take(listing('echo2', 'later'));
  await turns();
  take(listing('later'));
  await turns();

  assert.equal(told, ['echo sample', 'echo sample later', 'echo2 sample later', 'sample later']);
});

test('a session that is listed before the server was in this process has it listed', async () => {
  const { lists, told, starts } = server(listing('echo', 'sample'));

  lists.forSession()(listing('echo'));
  await turns();
  lists.forSession()(listing('echo', 'more'));
  await turns();

  assert.is(starts(), 1);
  assert.equal(told, ['echo sample', 'echo sample more']);
});

test('problems of the list stay with it', async () => {
  let last: ToolListing = [];
  const lists = createSessionLists({
    list: async () => {},
    onTools: (tools) => {
      last = tools;
    },
  });
  lists.listed(Object.assign(listing('echo'), { problems: ['one'] }));

  lists.forSession()(listing('echo', 'more'));
  await turns();

  assert.equal(last.problems, ['one']);
});

test.run();
