/** What clients and the gateway can do together: the steps that show it, and what they must give. */
import * as assert from 'uvu/assert';
import { given, type Step, type StepResult } from './run-client.ts';

/** Where a feature is tried: at the gateway, behind something that cuts a stream, or with a token that is wrong. */
export type Place = 'gateway' | 'cut' | 'refused';

export interface Feature {
  /** As in the head of the table of `docs/clients.md`. */
  readonly name: string;
  readonly place: Place;
  readonly steps: readonly Step[];
  /** @throws where the results are not what they must be. */
  check(results: readonly StepResult[], world: World): void;
}

/** What servers and network saw of the client. */
export interface World {
  /** Methods that the server `told` heard, in order; a call by the name of its tool. */
  readonly heard: readonly string[];
  readonly cuts: number;
  readonly resumptions: number;
}

const call = (name: string, args?: object): Step => ({
  do: 'callTool',
  name,
  ...(args ? { arguments: args } : {}),
});
const ask = (method: string, params: object): Step => call('asking__ask', { method, params });

/** The result in what a server was answered, which its tool gives back as text. */
function answered(result: StepResult | undefined) {
  return JSON.parse(given(result)).result;
}

/** Clients pass over reports that they read together with the answer, each as many as it likes. */
function assertReported(result: StepResult | undefined, most: number): void {
  const { text, progress } = given(result) as { text: string; progress: number[] };
  assert.is(text, 'done');
  const possible = Array.from({ length: most }, (_, at) => at + 1);
  assert.ok(progress.length > 0);
  assert.equal(
    progress,
    possible.filter((value) => progress.includes(value)),
  );
}

const schema = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };
const document = 'demo://resource/static/document/features.md';

export const features: readonly Feature[] = [
  {
    name: 'list',
    place: 'gateway',
    steps: [{ do: 'listTools' }],
    check([listed]) {
      for (const tool of ['told__echo', 'asking__ask', 'everything__echo']) {
        assert.ok(given(listed).includes(tool), tool);
      }
    },
  },
  {
    name: 'call',
    place: 'gateway',
    steps: [call('told__echo', { message: 'hello' })],
    check: ([called]) => assert.is(given(called), 'hello'),
  },
  {
    name: 'progress',
    place: 'gateway',
    steps: [{ do: 'callWithProgress', name: 'told__slow_progress', arguments: { steps: 10, ms: 100 } }],
    check: ([called]) => assertReported(called, 10),
  },
  {
    name: 'cancel',
    place: 'gateway',
    // It reports for a minute; a client that gives it up when it hears of the first waits for no other.
    steps: [
      { do: 'cancel', name: 'told__slow_progress', arguments: { steps: 600, ms: 100 } },
      call('told__pid'),
    ],
    check([cancelled], { heard }) {
      assert.is(given(cancelled), 'given up');
      const at = heard.indexOf('notifications/cancelled');
      assert.ok(at > heard.lastIndexOf('slow_progress') && at < heard.indexOf('level'), heard.join(' '));
    },
  },
  {
    name: 'sampling',
    place: 'gateway',
    steps: [
      ask('sampling/createMessage', {
        messages: [{ role: 'user', content: { type: 'text', text: 'Say something.' } }],
        maxTokens: 10,
      }),
    ],
    check: ([asked]) => assert.is(answered(asked).content.text, 'a model'),
  },
  {
    name: 'elicitation',
    place: 'gateway',
    steps: [ask('elicitation/create', { message: 'Who are you?', requestedSchema: schema })],
    check: ([asked]) => assert.equal(answered(asked), { action: 'accept', content: { name: 'Ada' } }),
  },
  {
    name: 'roots',
    place: 'gateway',
    steps: [ask('roots/list', {})],
    check: ([asked]) => assert.is(answered(asked).roots[0].uri, 'file:///work'),
  },
  {
    name: 'prompts',
    place: 'gateway',
    steps: [{ do: 'listPrompts' }, { do: 'getPrompt', name: 'everything__simple-prompt' }],
    check([listed, got]) {
      assert.ok(given(listed).includes('everything__simple-prompt'));
      assert.is(given(got), 'This is a simple prompt without arguments.');
    },
  },
  {
    name: 'resources',
    place: 'gateway',
    steps: [{ do: 'listResources' }, { do: 'readResource', uri: document }, { do: 'listTemplates' }],
    check([listed, read, templates]) {
      assert.ok(given(listed).includes(document));
      assert.match(given(read), 'Everything Server');
      assert.ok(given(templates).includes('demo://resource/dynamic/text/{resourceId}'));
    },
  },
  {
    name: 'list_changed',
    place: 'gateway',
    steps: [{ do: 'listTools' }, call('told__list_changed'), { do: 'awaitChange' }, { do: 'listTools' }],
    check([before, , told, after]) {
      assert.is(given(told), 'changed');
      assert.is(given(after).length, given(before).length + 1);
    },
  },
  {
    // The last of its place: it marks the end in what the server heard.
    name: 'token',
    place: 'gateway',
    steps: [call('told__level')],
    check: ([called]) => assert.is(given(called), 'none'),
  },
  {
    name: 'token',
    place: 'refused',
    steps: [{ do: 'listTools' }],
    check: ([refused]) => assert.ok(refused?.error, 'a wrong token is not refused'),
  },
  {
    name: 'resumption',
    place: 'cut',
    steps: [{ do: 'callWithProgress', name: 'told__slow_progress', arguments: { steps: 8, ms: 100 } }],
    check([called], { cuts, resumptions }) {
      assert.is(cuts, 1, 'the stream was not cut');
      assertReported(called, 8);
      assert.ok(resumptions > 0);
    },
  },
];
