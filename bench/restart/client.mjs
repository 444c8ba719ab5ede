// An agent built on the official TypeScript SDK, v1 or v2: one long call, then it listens. One JSON line per thing that
// happens. `node client.mjs [--poll] URL MODULE_OF_CLIENT [MODULE_OF_TRANSPORT]`; `--poll`: it lists tools all the time.
const polls = process.argv.includes('--poll');
const [url, clientModule, transportModule = clientModule] = process.argv.slice(2).filter((word) => word !== '--poll');
const { Client } = await import(clientModule);
const { StreamableHTTPClientTransport } = await import(transportModule);
const tell = (line) => process.stdout.write(`${JSON.stringify(line)}\n`);

const client = new Client({ name: 'restart', version: '1' });
client.onerror = (error) => tell({ trouble: error.message });
client.fallbackNotificationHandler = async ({ method }) => tell({ heard: method });
await client.connect(new StreamableHTTPClientTransport(new URL(url)));
await client.listTools();
tell({ calling: true });
try {
  const result = await client.callTool({ name: 'fault__slow', arguments: { ms: 25_000 } });
  tell({ answer: result });
} catch (error) {
  tell({ error: error.message });
}
for (;;) {
  await new Promise((resolve) => setTimeout(resolve, 2_000));
  if (!polls) continue;
  const tools = await client.listTools().then(
    (listed) => listed.tools.length,
    (error) => error.message,
  );
  tell({ tools });
}
