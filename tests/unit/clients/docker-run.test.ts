import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { dockerLineEntries, foreignEntries } from '../../../lib/clients/foreign-servers.ts';
import { parseServerConfig } from '../../../lib/config/parse-server-config.ts';

const test = suite('docker run as a server');

const reference = (name: string) => `\${${name}}`;

type Entry = ReturnType<typeof foreignEntries>[number];

/** The config, which must be one that can be registered, and what was told beside. */
function usable(entry: Entry | undefined) {
  if (entry === undefined || !('config' in entry)) throw new Error(JSON.stringify(entry));
  parseServerConfig(entry.config);
  const { config, warnings } = entry;
  return { config, warnings };
}

/** Of an `mcpServers` entry `x` that calls docker. */
function ofEntry(args: readonly unknown[], more: object = {}) {
  return usable(foreignEntries({ mcpServers: { x: { command: 'docker', args, ...more } } })[0]);
}

function ofLine(line: string) {
  const entries = dockerLineEntries(line);
  assert.is(entries.length, 1, line);
  return usable(entries[0]);
}

const stdio = (fields: object) => ({ name: 'x', transport: 'stdio', pull: 'missing', ...fields });

test('the published form of the filesystem server', () => {
  const { config, warnings } = ofEntry([
    ...['run', '-i', '--rm'],
    ...['--mount', 'type=bind,src=/Users/username/Desktop,dst=/projects/Desktop'],
    ...['--mount', 'type=bind,src=/path/to/other/allowed/dir,dst=/projects/other/allowed/dir,ro'],
    ...['--mount', 'type=bind,src=/path/to/file.txt,dst=/projects/path/to/file.txt'],
    ...['mcp/filesystem', '/projects'],
  ]);

  assert.equal(
    config,
    stdio({
      image: 'mcp/filesystem',
      args: ['/projects'],
      volumes: [
        { path: '/projects/Desktop', source: '/Users/username/Desktop' },
        { path: '/projects/other/allowed/dir', source: '/path/to/other/allowed/dir', read_only: true },
        { path: '/projects/path/to/file.txt', source: '/path/to/file.txt' },
      ],
    }),
  );
  assert.equal(warnings, []);
});

test('the published form of the GitHub server, with a value, with an input of VS Code, and without', () => {
  const args = [
    'run',
    '-i',
    '--rm',
    '-e',
    'GITHUB_PERSONAL_ACCESS_TOKEN',
    'ghcr.io/github/github-mcp-server',
  ];
  const image = 'ghcr.io/github/github-mcp-server';
  const withToken = (value: string) => ({ env: { GITHUB_PERSONAL_ACCESS_TOKEN: value } });

  assert.equal(ofEntry(args, withToken('<YOUR_TOKEN>')), {
    config: stdio({ image, ...withToken('<YOUR_TOKEN>') }),
    warnings: [],
  });
  assert.equal(
    ofEntry(args, withToken(reference('input:github-token'))).config,
    stdio({
      image,
      ...withToken(reference('input:github-token')),
    }),
  );
  assert.equal(ofEntry(args), {
    config: stdio({ image, ...withToken(reference('GITHUB_PERSONAL_ACCESS_TOKEN')) }),
    warnings: ['expects a value for `GITHUB_PERSONAL_ACCESS_TOKEN` from the secrets method, or in `env`.'],
  });
});

test('the published form of the memory server: the engine’s volume and its data, and it is said', () => {
  const { config, warnings } = ofEntry(['run', '-i', '-v', 'claude-memory:/app/dist', '--rm', 'mcp/memory']);

  assert.equal(
    config,
    stdio({ image: 'mcp/memory', volumes: [{ path: '/app/dist', source: 'claude-memory' }] }),
  );
  assert.is(warnings.length, 1);
  assert.match(warnings[0] ?? '', /volume `claude-memory`.*without `source`/);
});

test('the published forms of playwright, time and fetch', () => {
  assert.equal(
    ofEntry(['run', '-i', '--rm', '--init', '--pull=always', 'mcr.microsoft.com/playwright/mcp']),
    {
      config: { ...stdio({ image: 'mcr.microsoft.com/playwright/mcp' }), pull: 'always' },
      warnings: [],
    },
  );
  assert.equal(
    ofEntry(['run', '-i', '--rm', '-e', 'LOCAL_TIMEZONE', 'mcp/time'], { env: { LOCAL_TIMEZONE: 'UTC' } }),
    {
      config: stdio({ image: 'mcp/time', env: { LOCAL_TIMEZONE: 'UTC' } }),
      warnings: [],
    },
  );
  assert.equal(
    ofEntry(['run', '-i', '--rm', 'mcp/fetch', '--ignore-robots-txt']).config,
    stdio({
      image: 'mcp/fetch',
      args: ['--ignore-robots-txt'],
    }),
  );
});

test('the published form of the postgres server, whose host name Docker Desktop alone knows', () => {
  const { config, warnings } = ofEntry([
    ...['run', '-i', '--rm', 'mcp/postgres', 'postgresql://host.docker.internal:5432/mydb'],
  ]);

  assert.equal(config.args, ['postgresql://host.docker.internal:5432/mydb']);
  assert.match(warnings.join(), /`host\.docker\.internal`.*Docker Desktop/);
});

test('everything that a config can say, in every spelling', () => {
  const expected = {
    ...{ name: 'x', transport: 'stdio', image: 'acme/tool:1.2', args: ['--port', '1', '-e', 'X=1'] },
    env: { A: '1', B: 'b=c', C: '' },
    limits: { memory_mb: 1024, cpus: 1.5, pids: 64 },
    ...{
      pull: 'never',
      entrypoint: ['/bin/tool'],
      shm_mb: 2048,
      user: '1000:1000',
      network: 'none',
      read_only: true,
    },
    volumes: [
      { path: '/a' },
      { path: '/b', source: '/srv/b', read_only: true },
      { path: '/c', source: '/srv/c' },
    ],
    capabilities: ['CHOWN', 'NET_RAW'],
  };
  const command = ['acme/tool:1.2', '--port', '1', '-e', 'X=1'];
  const long = [
    ...['container', 'run', '--interactive', '--tty', '--rm', '--name=x', '--label', 'a=b', '--detach'],
    ...['--env', 'A=1', '--env=B=b=c', '--env', 'C=', '--memory', '1g', '--cpus=1.5', '--pids-limit', '64'],
    ...[
      '--pull',
      'never',
      '--entrypoint',
      '/bin/tool',
      '--shm-size=2gb',
      '--user',
      '1000:1000',
      '--net',
      'none',
    ],
    ...[
      '--read-only',
      '--volume=/a',
      '--volume',
      '/srv/b/:/b:ro,cached',
      '--mount',
      'target=/c,source=/srv/c,type=bind',
    ],
    ...[
      '--cap-drop=ALL',
      '--cap-add',
      'CAP_CHOWN',
      '--cap-add=net_raw',
      '--restart',
      'always',
      '--init=false',
    ],
  ];
  const short = [
    ...['run', '-itd', '-eA=1', '-e=B=b=c', '-e', 'C=', '-m1024m', '--cpus', '1.5', '--pids-limit=64'],
    ...[
      '--pull=never',
      '--entrypoint=/bin/tool',
      '--shm-size',
      '2147483648',
      '-u1000:1000',
      '--network=none',
    ],
    ...[
      '--read-only=true',
      '-v/a',
      '-v',
      '/srv/b:/b:ro',
      '-v=/srv/c:/c',
      '--cap-add=CHOWN',
      '--cap-add=NET_RAW',
    ],
  ];

  for (const args of [long, short]) {
    const { config, warnings } = ofEntry([...args, ...command]);
    assert.equal(config, expected);
    assert.equal(warnings, []);
  }
});

test('what cannot be carried over is told by its name, and never with its value', () => {
  const { config, warnings } = ofEntry(
    [
      ...[
        'run',
        '-i',
        '--privileged',
        '--gpus=all',
        '-w',
        '/CANARY',
        '--env-file',
        'CANARY.env',
        '--network',
        'host',
      ],
      ...[
        '--tmpfs',
        '/tmp',
        '--cap-add',
        'SYS_ADMIN',
        '--add-host',
        'a:1',
        '-h',
        'CANARY',
        '--entrypoint',
        '',
        '-m',
        'lots',
      ],
      ...[
        '-v',
        './data:/data',
        '-v',
        '~/x:/x',
        '-v',
        `${reference('workspaceFolder')}:/w`,
        '-v',
        'C:\\Users\\me:/u',
      ],
      ...['--mount', 'type=tmpfs,dst=/t', '--mount', 'type=bind,src=/srv/z,dst=/z,bind-propagation=shared'],
      ...['-v', '/srv/y:/y:Z', '-p', '8080:80', 'tool'],
    ],
    { env: { UNUSED: 'CANARY' } },
  );
  const told = warnings.join('\n');

  assert.equal(
    config,
    stdio({
      image: 'tool',
      volumes: [
        { path: '/z', source: '/srv/z' },
        { path: '/y', source: '/srv/y' },
      ],
    }),
  );
  for (const name of [
    ...[
      '--privileged',
      '--gpus',
      '--workdir',
      '--env-file',
      '--network',
      '--tmpfs',
      '--cap-add',
      '--add-host',
    ],
    ...[
      '--hostname',
      '--entrypoint',
      '--memory',
      '--publish',
      'UNUSED',
      './data',
      '~/x',
      'C:\\Users\\me',
      'tmpfs',
    ],
    ...['bind-propagation', '`Z`', reference('workspaceFolder')],
  ]) {
    assert.ok(told.includes(name), `${name} in:\n${told}`);
  }
  assert.not.match(told, 'CANARY');
});

test('without `-i`, a published port is where it listens', () => {
  const { config, warnings } = ofLine(
    'docker run -d -p 127.0.0.1:8080:3001/tcp -p 9000 --name "my tool" acme/tool',
  );

  assert.equal(config, {
    ...{ name: 'my-tool', transport: 'streamable_http', image: 'acme/tool', port: 3001, pull: 'missing' },
  });
  assert.match(warnings.join('\n'), /`\/mcp` of port 3001.*\n.*`--publish` of port 9000/);
});

test('lines of a README: quotes, continuations, a prompt, sudo, variables, and what stands around them', () => {
  const { config } = ofLine(`
    # First get it
    docker pull acme/tool
    $ sudo KEY='a b' docker run --rm -i \\
        -e KEY -e "OTHER=$OTHER" \\
        -v "$PWD/data":/data \\
        acme/tool --name "it's"`);

  assert.equal(config, {
    ...{ name: 'tool', transport: 'stdio', image: 'acme/tool', args: ['--name', "it's"], pull: 'missing' },
    env: { KEY: 'a b', OTHER: reference('OTHER') },
  });
  assert.match(ofLine('docker run -v "$(pwd)":/data x/tool').warnings.join(), /full path/);
  assert.match(ofLine('docker run x/tool "$(cat key)"').warnings.join(), /\$\(…\)/);
});

test('servers are named by `--name`, else by what of the image says most', () => {
  const lines = [
    'mcp/time',
    'ghcr.io/github/github-mcp-server:1',
    'mcr.microsoft.com/playwright/mcp',
    'a/time@sha256:',
  ];
  const text = lines
    .slice(0, 3)
    .map((image) => `docker run -i ${image}`)
    .join('\n');

  assert.equal(
    dockerLineEntries(`${text}\npodman run -i quay.io/a/time && docker run --name My.Own mcp/x`).map(
      ({ name }) => name,
    ),
    ['time', 'github-mcp-server', 'playwright', 'time-2', 'My.Own'],
  );
});

test('what runs no container of its own stays a command, and so does what cannot be taken apart', () => {
  for (const args of [
    ['compose', 'run', 'tool'],
    ['exec', '-i', 'tool', 'serve'],
    ['mcp', 'gateway', 'run'],
    ['--context', 'far', 'run', 'tool'],
  ]) {
    const { config, warnings } = ofEntry(args);
    assert.equal([config.command, config.args, warnings], ['docker', args, []]);
  }
  for (const [args, why] of [
    [['run', '--brand-new', 'x', 'tool'], '--brand-new'],
    [['run', '-iz', 'tool'], '-z'],
    [['run', '-i'], 'no image'],
  ] as const) {
    const { config, warnings } = ofEntry(args);
    assert.is(config.command, 'docker');
    assert.match(warnings.join(), why);
  }
  assert.equal(
    ofEntry(['run', '-i', 'tool'], { command: '/usr/bin/podman' }).config,
    stdio({ image: 'tool' }),
  );
  assert.equal(
    ofEntry([], { command: 'docker run -i --rm "tool"', args: undefined }).config,
    stdio({ image: 'tool' }),
  );
  assert.equal(dockerLineEntries('npx -y tool && docker ps; docker compose run x'), []);
});

test.run();
