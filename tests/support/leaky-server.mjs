// An MCP server that says on stderr all it was given, in several forms, and then does what its first argument says:
// `die`, `refuse` or `odd` (both with secrets in the answer to the handshake), or anything else: it serves.
const [, , mode = 'serve'] = process.argv;
const json = JSON.stringify(process.env);
process.stderr.write(`${json}\n`);
for (const [name, value] of Object.entries(process.env)) process.stderr.write(`${name}=${value}\n`);
// A line without end, as progress bars make it, that holds values beyond what is kept of a line.
process.stderr.write(`${'.'.repeat(4090)}${Object.values(process.env).join(' ')}`);
process.stderr.write('\n');
if (mode === 'die') process.exit(3);
if (mode === 'refuse' || mode === 'odd') {
  process.stdin.once('data', (line) => {
    const { id } = JSON.parse(line);
    const odd = { result: { protocolVersion: json, capabilities: { tools: {} }, serverInfo: { name: json, version: json } } };
    const answer = mode === 'odd' ? odd : { error: { code: -32000, message: json, data: json } };
    process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...answer })}\n`);
  });
} else await import('./fault-server.mjs');
