import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { rulesOf } from '../../../static/lib/api-rules.js';
import {
  dockerLine,
  hostLine,
  joinWords,
  onFile,
  splitWords,
} from '../../../static/progress/command-line.js';
import { document } from '../../support/api-document.ts';

const test = suite('command lines in the dashboard');

test('blanks separate words, quotes and backslashes keep them together', () => {
  assert.equal(splitWords('  npx -y  "my server" --root=\'a b\' c\\ d '), [
    ...['npx', '-y', 'my server', '--root=a b', 'c d'],
  ]);
});

test('a command in a container reads a file of the terminal through its standard input', () => {
  for (const here of [
    'npx svc-mcp',
    'node /opt/gateway/bin/svc-mcp.js',
    'svc-mcp --data /srv/a',
    "DATA_DIR='/srv/a b' '/usr/my programs/node' '/opt/a b/bin/svc-mcp.js'",
  ])
    assert.is(onFile(here, 'a.json'), 'a.json', here);
  assert.is(onFile('gateway-of-others', 'a.json'), '- < a.json');
  assert.is(onFile('docker compose exec -T manager node bin/svc-mcp.js', 'a.json'), '- < a.json');
});

test('an empty pair of quotes is an empty word', () => {
  assert.equal(splitWords(`run '' ""`), ['run', '', '']);
});

test('nothing is special within single quotes, and a backslash only before what it protects within double ones', () => {
  assert.equal(splitWords(`'a\\b"c' "a\\b\\"c\\\\"`), ['a\\b"c', 'a\\b"c\\']);
});

test('a quote left open is told instead of guessed', () => {
  assert.throws(() => splitWords('run "half'), /not closed/);
});

test('words that are joined come apart again as they were', () => {
  const words = ['node', 'a b', '', "it's", '$(rm -rf /)', 'x\ny', '--flag=1', 'ü', '\\'];

  assert.equal(splitWords(joinWords(words)), words);
});

test('the docker line names variables and never holds their values', () => {
  const line = dockerLine({
    ...{ name: 'time', image: 'mcp/time:1', command: ['--tz', 'Europe/Berlin; ls'] },
    ...{ env_vars: { API_KEY: 'canary' }, port: 3001 },
  });

  assert.match(line, /^docker run -i --init --name svc-mcp-time /);
  assert.match(line, / -p 127\.0\.0\.1::3001 -e API_KEY mcp\/time:1 --tz 'Europe\/Berlin; ls'$/);
  assert.not.match(line, 'canary');
});

test('the docker line shows what is mounted and how it is bounded, of a request as of a config', () => {
  const rules = rulesOf(document);
  const made = {
    volumes: [{ path: '/data' }, { path: '/work', source: '/srv/a b', read_only: true }],
    ...{ entrypoint: ['node', 'server.js'], limits: { memory_mb: 1024 }, shm_mb: 128, read_only: true },
    ...({ network: 'none', user: '1000', capabilities: ['CHOWN', 'KILL'] } as const),
  };
  const request = dockerLine(
    { name: 'x', image: 'a/x', command: ['--quiet'], env_vars: { A: '1' }, ...made },
    rules.bodyOf('POST /api/servers/provision'),
  );
  const config = dockerLine(
    { name: 'x', image: 'a/x', args: ['--quiet'], env: { A: '1' }, ...made },
    rules.bodyOf('POST /api/servers'),
  );

  assert.is(request, config);
  assert.match(
    request,
    ' --memory 1024m --cpus 1 --pids-limit 256 --cap-add CHOWN --cap-add KILL --shm-size 128m ',
  );
  assert.match(request, " --network none --user 1000 --read-only -v /data -v '/srv/a b:/work:ro' -e A ");
  assert.match(request, / --entrypoint node a\/x server\.js --quiet$/);
});

test('bounds that are not known yet are not shown', () => {
  assert.match(dockerLine({ name: 'x', image: 'a/x' }), / --security-opt no-new-privileges a\/x$/);
});

test('the line for this host shows that a variable is set, not to what', () => {
  const line = hostLine({ command: 'node', args: ['my server.js'], env: { API_KEY: 'canary' } });

  assert.is(line, "API_KEY=••• node 'my server.js'");
});

test.run();
