/** The numbers in SECURITY.md, Limits, that no setting changes are the constants of the code. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readText } from '../../../support/source-files.ts';
import { quantitiesIn, tableUnder } from './markdown-tables.ts';

const test = suite('limits in SECURITY.md');

const rows = tableUnder(readText('SECURITY.md'), 'Limits');

/** The beginning of a row, without `**` → where its numbers stand: a file of `lib/`, and names in it. */
const places: Readonly<Record<string, readonly string[]>> = {
  'connections in all': ['server/listeners/node-descriptors.ts', 'mostEver', 'freeAtLeast'],
  'time for a header': ['server/listeners/node-listener.ts', 'headersTimeout'],
  'time for a whole request': ['server/listeners/node-listener.ts', 'requestTimeout'],
  'time between two requests': ['server/listeners/node-listener.ts', 'keepAliveTimeout'],
  'time to close after a refusal': ['server/listeners/node-raw-refusals.ts', 'lingerMs'],
  'time in which a client takes none': ['server/listeners/node-listener.ts', 'usualReaderMs'],
  'requests: header': ['server/listeners/node-raw-refusals.ts', 'longestHeader'],
  'body of a request': ['service-info.ts', 'managerBodyBytes'],
  'JSON of a request': ['json/parse-json.ts', 'maxJsonDepth', 'maxJsonTokens'],
  'messages of a batch': ['mcp/batch.ts', 'maxBatch'],
  'what a client says about itself': ['mcp/methods/initialize.ts', 'mostClientBytes'],
  'subscriptions of a session': ['sessions/session-subscriptions.ts', 'mostOfSession'],
  'URIs in results that a process': [
    ...['mcp/views/seen-uris.ts', 'mostInOneResult', 'mostUris', 'mostCharacters'],
  ],
  'URIs in results that processes': [
    ...['sessions/seen-uris/shared-seen-uris.ts', 'mostOfServer', 'most', 'seconds'],
  ],
  'questions of a server to one': ['upstreams/multiplexer/outside-questions.ts', 'mostOpen', 'longestParams'],
  'streams: listening ones': ['mcp/streams/active-streams.ts', 'mostPerSession'],
  'bytes that wait for a slow reader': ['streams/bounded-stream.ts', 'maxQueuedBytes'],
  'events kept of a stream': ['mcp/streams/numbered-stream.ts', 'mostStoredEvents', 'mostStoredCharacters'],
  'events kept': ['sessions/event-log/event-log.ts', 'expireAfterSeconds'],
  'depth of a server’s answer': ['json-rpc/server-messages.ts', 'maxAnswerDepth'],
  'elements of a server’s answer': ['json-rpc/server-messages.ts', 'maxAnswerElements'],
  'a server’s requests and notifications': [
    ...['json-rpc/server-messages.ts', 'maxParsedCharacters', 'maxParsedElements', 'maxAnswerDepth'],
  ],
  'a server’s tools, prompts': [
    ...['upstreams/connection/list-server.ts', 'mostElements', 'mostPages', 'mostCharacters'],
  ],
  'names of tools and prompts': ['names/shown-names.ts', 'longestShownName'],
  'names of tools that every model': ['names/provider-names.ts', 'longest'],
  'names of tools that are kept': ['upstreams/connection/list-server.ts', 'longestName'],
  'URIs of resources': ['upstreams/connection/list-server.ts', 'longestUri'],
  'depth of a definition': ['definitions/readable-text.ts', 'mostLevels'],
  'what is told of a server’s definitions': ['definitions/some-problems.ts', 'mostListed'],
  'what a server wrote before it failed': ['upstreams/connection/last-lines.ts', 'mostLines', 'longestLine'],
  'bytes that wait for a server': ['upstreams/transports/stdio/node-stdio-transport.ts', 'mostUnreadBytes'],
  'bytes that wait for a server that': [
    ...['containers/transports/node-container-stdio-transport.ts', 'mostUnreadLength'],
  ],
  'containers: volumes of a config': ['json/field-structs.ts', 'maxList'],
  'lines with `docker run`': ['clients/shell-commands.ts', 'longestText'],
  'lines with': ['clients/foreign-servers.ts', 'mostServers'],
  'groups: text of an approved': ['groups/definitions/approval-rows.ts', 'longestText'],
  'warnings about a group’s resources': [
    ...['groups/visible/resource-warnings.ts', 'mostWarnings', 'longestEntry'],
  ],
  'database: callers that wait': ['database/drivers/pool-database.ts', 'mostCallersWaiting'],
  'database: callers': ['database/drivers/node-postgres-database.ts', 'connectTimeoutMs'],
  'a statement, a wait for a lock': [
    ...['database/drivers/run-transaction.ts', 'queryTimeoutMs', 'lockTimeoutMs', 'idleInTransactionMs'],
  ],
  'statements that wait for the embedded': ['database/drivers/node-pglite-database.ts', 'mostWaiting'],
  'statements that wait': ['database/drivers/node-pglite-worker.ts', 'longestStatementMs'],
  'sessions that wait to be stored': ['sessions/database-sessions.ts', 'mostWaitingInserts'],
  'events that wait to be stored': ['sessions/event-log/database-event-log.ts', 'mostWaitingCharacters'],
  'agents’ requests during a start': ['server/listeners/node-listeners.ts', 'agentsWaitMs'],
};

/** Rows without a setting and without a number. */
const withoutNumbers = ['arguments of tools and prompts', 'calls that come after that'];

const plain = (what = '') => what.replaceAll('**', '').replaceAll("'", '’');

/** Seconds for what is named in milliseconds. */
function constantOf(path: string, name: string): number {
  const [, text = ''] = new RegExp(`\\b${name}(?: =|:) ([\\d_* ]+)`).exec(readText(`lib/${path}`)) ?? [];
  assert.match(text, /\d/, `${path}: ${name}`);
  const value = text.split('*').reduce((product, factor) => product * Number(factor.replaceAll('_', '')), 1);
  return /(Ms|Timeout)$/.test(name) ? value / 1_000 : value;
}

for (const [begin, [path = '', ...names]] of Object.entries(places)) {
  test(`${begin}: ${names.join(', ')}`, () => {
    const found = rows.filter(([what]) => plain(what).startsWith(begin));
    const [, limit = ''] = found[0] ?? assert.unreachable(begin) ?? [];

    assert.is(found.length, 1);
    for (const name of names) {
      const value = constantOf(path, name);
      assert.ok(quantitiesIn(limit).includes(value), `${name} is ${value}; told: ${limit}`);
    }
  });
}

test('each row that no setting changes is held to its constant', () => {
  const begins = [...Object.keys(places), ...withoutNumbers];
  const open = rows
    .filter(([, , , setting]) => setting === 'none')
    .map(([what]) => plain(what))
    .filter((what) => !begins.some((begin) => what.startsWith(begin)));

  assert.equal(open, []);
});

test.run();
