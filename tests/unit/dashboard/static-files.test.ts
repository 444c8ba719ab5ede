import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { IRequestStrict } from 'itty-router';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { dashboard } from '../../../handlers/manager/dashboard.ts';
import { staticAsset } from '../../../handlers/manager/static-asset.ts';
import type { ManagerContext } from '../../../lib/context.ts';
import { Failure } from '../../../lib/http/failure.ts';
import { readStaticFiles } from '../../../lib/http/node-static-files.ts';

const test = suite('GET / and GET /static/…');
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
let context: ManagerContext;

test.before(async () => {
  context = { staticFiles: await readStaticFiles('static') } as ManagerContext;
});

function get(path: string, headers: Record<string, string> = {}): IRequestStrict {
  return new Request(`http://127.0.0.1:3701${path}`, { headers }) as IRequestStrict;
}

test('the page comes with the strict policy and is revalidated', async () => {
  const response = dashboard(get('/'), context);

  assert.is(response.status, 200);
  assert.is(response.headers.get('content-type'), 'text/html; charset=utf-8');
  assert.is(response.headers.get('content-security-policy'), policy);
  assert.is(response.headers.get('x-content-type-options'), 'nosniff');
  assert.is(response.headers.get('referrer-policy'), 'no-referrer');
  assert.is(response.headers.get('cache-control'), 'no-cache');
  assert.match(await response.text(), '<!doctype html>');
});

test('a browser that has this version gets 304 without a body', async () => {
  const etag = dashboard(get('/'), context).headers.get('etag') ?? '';

  const response = dashboard(get('/', { 'If-None-Match': etag }), context);

  assert.is(response.status, 304);
  assert.is(await response.text(), '');
});

test('everything the page names is there, and nothing of it is inline', async () => {
  const page = await dashboard(get('/'), context).text();
  const paths = [...page.matchAll(/(?:src|href)="(\/static\/[^"]+)"/g)].map(([, path]) => path ?? '');

  assert.ok(paths.length >= 2);
  for (const path of paths) assert.is(staticAsset(get(path), context).status, 200, path);
  assert.not.match(page, /<style|style=|<script>|\son[a-z]+=/);
});

test('scripts take markup from nowhere', async () => {
  for (const name of ['app.js', 'api.js', 'server-list.js']) {
    const response = staticAsset(get(`/static/${name}`), context);
    assert.is(response.headers.get('content-type'), 'text/javascript; charset=utf-8');
    assert.not.match(await response.text(), /innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(/);
  }
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
      () => staticAsset(get(path), context),
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
