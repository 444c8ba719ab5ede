import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { IRequestStrict } from 'itty-router';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { getDashboard } from '../../../handlers/manager/system/get-dashboard.ts';
import { getStaticAsset } from '../../../handlers/manager/system/get-static-asset.ts';
import { Failure } from '../../../lib/failure.ts';
import { readStaticFiles } from '../../../lib/server/page/node-static-files.ts';
import { readVendorFiles } from '../../../lib/server/page/node-vendor-files.ts';
import { createManagerContext } from '../../support/manager-context.ts';
import { listFiles } from '../../support/source-files.ts';

const test = suite('GET / and GET /static/…');
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self' " +
  "https://mcp.example:8443; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
let context: Parameters<typeof getDashboard>[1];

test.before(async () => {
  context = {
    service: createManagerContext({ service: { gatewayUrl: () => 'https://mcp.example:8443/base' } }).service,
    staticFiles: await readStaticFiles('static', await readVendorFiles()),
  };
});

function get(path: string, headers: Record<string, string> = {}): IRequestStrict {
  return new Request(`http://127.0.0.1:3701${path}`, { headers }) as IRequestStrict;
}

test('the page comes with a policy that lets it talk to us and the gateway alone, and is revalidated', async () => {
  const response = getDashboard(get('/'), context);

  assert.is(response.status, 200);
  assert.is(response.headers.get('content-type'), 'text/html; charset=utf-8');
  assert.is(response.headers.get('content-security-policy'), policy);
  assert.is(response.headers.get('referrer-policy'), 'no-referrer');
  assert.is(response.headers.get('cache-control'), 'no-cache');
  assert.match(await response.text(), '<!doctype html>');
});

test('a browser that has this version gets 304 without a body', async () => {
  const etag = getDashboard(get('/'), context).headers.get('etag') ?? '';

  const response = getDashboard(get('/', { 'If-None-Match': etag }), context);

  assert.is(response.status, 304);
  assert.is(await response.text(), '');
});

test('everything the page names is there, and nothing of it is inline', async () => {
  const page = await getDashboard(get('/'), context).text();
  const paths = [...page.matchAll(/(?:src|href)="(\/static\/[^"]+)"/g)].map(([, path]) => path ?? '');

  assert.ok(paths.length >= 2);
  for (const path of paths) assert.is(getStaticAsset(get(path), context).status, 200, path);
  assert.not.match(page, /<style|style=|<script>|\son[a-z]+=/);
});

test('scripts take markup from nowhere, and write no style and no handler into it', async () => {
  const scripts = listFiles().filter((path) => /^static\/.*\.js$/.test(path));
  assert.ok(scripts.length > 0);

  for (const path of scripts) {
    const response = getStaticAsset(get(`/${path}`), context);
    const text = await response.text();
    assert.is(response.headers.get('content-type'), 'text/javascript; charset=utf-8', path);
    assert.not.match(
      text,
      /[iI]nnerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function/,
      path,
    );
    assert.not.match(text, /<[a-z][^>]*\s(style=|on[a-z]+=")/, path);
  }
});

test('every module that a script of ours imports is served', async () => {
  const scripts = listFiles().filter((path) => /^static\/.*\.js$/.test(path));

  for (const path of scripts) {
    const text = await getStaticAsset(get(`/${path}`), context).text();
    const imports = text.matchAll(
      /^(?:import|export)\b[^'"]*?from\s*['"]([^'"]+)['"]|^import\s*['"]([^'"]+)['"]/gm,
    );
    for (const [, from, bare] of imports) {
      const target = new URL(from ?? bare ?? '', `http://localhost/${path}`).pathname;
      assert.is(getStaticAsset(get(target), context).status, 200, `${path} → ${target}`);
    }
  }
});

test('the three modules of others are served as browsers load them, and nothing else of their packages', async () => {
  const read = async (name: string) => {
    const response = getStaticAsset(get(`/static/vendor/${name}.mjs`), context);
    assert.is(response.headers.get('content-type'), 'text/javascript; charset=utf-8', name);
    assert.is(response.headers.get('cache-control'), 'no-cache', name);
    assert.match(response.headers.get('etag') ?? '', /^"[0-9a-f]{32}"$/, name);
    return response.text();
  };
  const specifiers = (text: string) => [...text.matchAll(/from\s*["']([^"']+)["']/g)].map(([, from]) => from);

  const [preact, hooks, htm] = [await read('preact'), await read('hooks'), await read('htm')];

  assert.equal([specifiers(preact), specifiers(hooks), specifiers(htm)], [[], ['./preact.mjs'], []]);
  assert.not.match(preact + hooks + htm, 'sourceMappingURL');
  assert.throws(() => getStaticAsset(get('/static/vendor/preact.mjs.map'), context));
  assert.throws(() => getStaticAsset(get('/static/vendor/package.json'), context));
});

test('the modules as served work together', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'vendor-'));
  for (const [path, bytes] of await readVendorFiles())
    await writeFile(join(directory, basename(path)), bytes);
  const load = (name: string) => import(pathToFileURL(join(directory, `${name}.mjs`)).href);

  const [{ h }, { useState }, { default: htm }] = [
    await load('preact'),
    await load('hooks'),
    await load('htm'),
  ];

  const { type, props } = htm.bind(h)`<p class="one">${'<b>'}</p>`;
  assert.equal([type, props.class, props.children], ['p', 'one', '<b>']);
  assert.type(useState, 'function');
  await rm(directory, { recursive: true });
});

test('nothing but the files of the folder is served, however the path is written', () => {
  const paths = [
    '/static/',
    '/static/nosuch.js',
    '/static/../package.json',
    '/static/%2e%2e/package.json',
    '/static/..%2fpackage.json',
    '/static/..%5cpackage.json',
    '/static//etc/passwd',
    '/static/app.js/',
    '/static/app.js%00',
    '/static/constructor',
    '/static/__proto__',
  ];

  for (const path of paths) {
    assert.throws(
      () => getStaticAsset(get(path), context),
      (error: unknown) => error instanceof Failure && error.status === 404,
      path,
    );
  }
});

test('files of folders below are served by their path, other kinds of file not at all', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'static-'));
  await mkdir(join(directory, 'parts'));
  await writeFile(join(directory, 'parts', 'one.js'), '1');
  await writeFile(join(directory, '.env'), 'SECRET=1');
  await writeFile(join(directory, 'notes.txt'), 'notes');

  const files = await readStaticFiles(directory);

  assert.is(files.read('parts/one.js')?.bytes.length, 1);
  assert.is(files.read('.env'), undefined);
  assert.is(files.read('notes.txt'), undefined);
  await rm(directory, { recursive: true });
});

test.run();
