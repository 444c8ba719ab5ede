import { documentSuite } from './document-suite.ts';
import { installPackages } from './fresh-clone.ts';

const curl = (words: string) => `curl -s ${words}`;
const json = `-H "$JSON" -d`;
const inSession = `$MCP -H "$JSON" -H "Mcp-Session-Id: $SESSION" -d`;
const serverImages = {
  elsewhere: { file: 'tests/end-to-end/container-updates.test.ts', holds: '/rollback`)' },
};

const test = documentSuite({
  path: 'docs/http.md',
  async prepare(clone) {
    installPackages(clone);
    await clone.startService();
  },
  commands: [
    ['MCP=http://127.0.0.1:3700/v0/groups/svc-global/mcp', {}],
    ["JSON='Content-Type: application/json'", {}],
    [openSession(), {}],
    [curl(`${inSession} '{"jsonrpc":"2.0","method":"notifications/initialized"}'`), {}],
    [curl(`${inSession} '{"jsonrpc":"2.0","id":2,"method":"tools/list"}'`), { stdout: /"everything__echo"/ }],
    [
      curl(
        `${inSession} '{"jsonrpc":"2.0","id":3,"method":"tools/call",\n  "params":{"name":"everything__echo","arguments":{"message":"hello"}}}'`,
      ),
      { stdout: /Echo: hello/ },
    ],
    [curl('$MCP -X DELETE -H "Mcp-Session-Id: $SESSION"'), {}],
    [curl('http://127.0.0.1:3700/api/v0/tools'), { stdout: /^\[.*filesystem__write_file/ }],
    [curl('http://127.0.0.1:3700/healthz'), { stdout: /ok/ }],
    [curl('http://127.0.0.1:3700/readyz'), { stdout: /ready/ }],
    [curl('http://127.0.0.1:3700/metrics'), { stdout: /^# HELP/m }],

    ['M=http://127.0.0.1:3701', {}],
    [curl('$M/api/tools'), { stdout: /everything__echo/ }],
    [curl('$M/api/current'), { stdout: /"group":"svc-global"/ }],
    [curl(`$M/api/tools/toggle  ${json} '{"tool":"everything__get-sum"}'`), { stdout: /"enabled":false/ }],
    [
      curl(`$M/api/tools/toggle  ${json} '{"tool":"everything__get-sum","enabled":true}'`),
      { stdout: /"enabled":true/ },
    ],
    [curl(`$M/api/tools/disable ${json} '{"tool":"everything__get-sum"}'`), { stdout: /"enabled":false/ }],
    [curl(`$M/api/tools/enable  ${json} '{"tool":"everything__get-sum"}'`), { stdout: /"enabled":true/ }],
    [
      curl(`$M/api/update        ${json} '{"tools":["everything__echo"]}'`),
      { stdout: /"tools":\["everything__echo"\]/ },
    ],
    [`field() { node -pe "JSON.parse(require('fs').readFileSync(0)).$1"; }`, {}],
    [curl('$M/api/tools/everything__echo/change'), { stdout: /"current":/ }],
    ['HASH=$(curl -s $M/api/tools/everything__echo/change | field current.definition_hash)', {}],
    [
      curl(`$M/api/tools/everything__echo/approve ${json} "{\\"definition_hash\\":\\"$HASH\\"}"`),
      { stdout: /"success":true/ },
    ],
    [
      curl(`$M/api/tools/everything__echo/expose ${json} '{"name":"say"}'`),
      { stdout: /"exposed_name":"say"/ },
    ],
    [curl(`$M/api/tools/everything__echo/expose ${json} '{"name":null}'`), { stdout: /by its full name/ }],
    [
      curl(`$M/api/tools/everything__get-sum/try ${json} '{"arguments":{"a":2,"b":3}}'`),
      { stdout: /"enabled":false.*"tried":true.*"result":\{.*2 and 3 is 5/ },
    ],

    [curl('$M/api/groups'), { stdout: /"default":"svc-global"/ }],
    [
      curl(`$M/api/groups/research ${json} '{"description":"Research","tools":["everything__echo"]}'`),
      { stdout: /"success":true/ },
    ],
    [curl('$M/api/groups/research'), { stdout: /"description":"Research"/ }],
    [
      curl(`$M/api/groups/research -X PUT ${json} '{"description":"What the research agent may do"}'`),
      { stdout: /"success":true/ },
    ],
    [curl('$M/api/groups/research/clients'), { stdout: /groups\/research\/mcp/ }],
    ['ETAG=$(curl -s $M/api/groups/research/tools | field etag)', {}],
    [
      curl(`$M/api/groups/research/tools -X PUT -H "$JSON" -H "If-Match: $ETAG" -d '{"tools":[]}'`),
      { stdout: /"tools":\[\]/ },
    ],
    [
      curl(`$M/api/groups/research/tools/enable ${json} '{"tool":"everything__echo"}'`),
      { stdout: /"enabled":true/ },
    ],
    [
      curl(`$M/api/groups/research/rename ${json} '{"name":"library"}'`),
      { stdout: /"former_names":\["research"\]/ },
    ],
    [curl('$M/api/groups/library -X DELETE'), { stdout: /"success":true/ }],

    [
      'PORT=9000 npx @modelcontextprotocol/server-everything streamableHttp',
      { goesOnAfter: /listening on port/ },
    ],
    [curl('$M/api/servers'), { stdout: /"name":"everything"/ }],
    [
      curl(`$M/api/servers ${json} '{"name":"web","url":"http://127.0.0.1:9000/mcp"}'`),
      { stdout: /"outcome":"registered"/ },
    ],
    [curl('$M/api/servers/web'), { stdout: /"tool_count":1\d/ }],
    [curl('"$M/api/servers/web/logs?tail=50"'), {}],
    [curl('$M/api/servers/web/restart -X POST'), { stdout: /"success":true/ }],
    [curl('$M/api/servers/web -X DELETE'), { stdout: /"success":true/ }],
    [curl('$M/api/servers/secrets-status'), { stdout: /"success":true/ }],
    [
      curl(`$M/api/servers/convert ${json} '{"mcpServers":{"docs":{"url":"http://127.0.0.1:9000/mcp"}}}'`),
      { stdout: /"transport":"streamable_http"/ },
    ],
    [
      curl(`$M/api/servers/convert ${json} '{"command_line":"docker run -i --rm mcp/memory:latest"}'`),
      { stdout: /"image":"mcp\/memory:latest"/ },
    ],
    [
      curl(`$M/api/servers/convert ${json} '{"text":"docker run -i --rm mcp/memory:latest"}'`),
      { stdout: /"image":"mcp\/memory:latest"/ },
    ],
    [
      curl(
        `$M/api/servers/convert ${json} '{"servers":{"docs":{"url":"http://127.0.0.1:9000/mcp","headers":{"X-Key":"\${input:key}"}}}}'`,
      ),
      { stdout: /"inputs":\[\{"id":"key"/ },
    ],
    [
      curl(
        `$M/api/servers/provision ${json} '{"name":"memory","image":"mcp/memory:latest","pull":"missing"}'`,
      ),
      { needs: 'memory image', stdout: /memory__read_graph/ },
    ],
    [curl('$M/api/servers/memory/logs'), { needs: 'memory image' }],
    [curl('$M/api/servers/memory/update -X POST'), serverImages],
    [curl('$M/api/servers/memory/rollback -X POST'), serverImages],
    [curl('$M/api/servers/memory -X DELETE'), { needs: 'memory image', stdout: /"success":true/ }],

    ['curl -sN $M/api/events', { streams: /^: open$/m }],
    [
      curl('$M/api/status'),
      {
        stdout: /"gateway_command":.*"commands_allowed":false,"tries_allowed":true,"database":\{"ok":true\}/,
      },
    ],
    [curl('$M/readyz'), { stdout: /ready/ }],
    [curl('$M/metrics'), { stdout: /^# HELP/m }],
  ],
});

function openSession(): string {
  return [
    `SESSION=$(curl -s $MCP -H "$JSON" -D - -o /dev/null -d '{"jsonrpc":"2.0","id":1,"method":"initialize",`,
    `  "params":{"protocolVersion":"2025-03-26","capabilities":{},"clientInfo":{"name":"curl","version":"1"}}}' |`,
    `  tr -d '\\r' | awk 'tolower($1)=="mcp-session-id:"{print $2}')`,
  ].join('\n');
}

test.run();
