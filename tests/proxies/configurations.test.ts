/** Each file of `deploy/proxies/` beside the program that reads it. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { findProxy, type ProxyName } from './programs.ts';
import { proxyFiles } from './proxy-files.ts';
import { checkProxyFile } from './running-proxy.ts';

const test = suite('files of deploy/proxies');

for (const name of Object.keys(proxyFiles) as ProxyName[]) {
  const program = await findProxy(name);
  const withProgram = program === undefined ? test.skip : test;
  withProgram(`${name} accepts its file`, async () => {
    const { code, stdout, stderr } = await checkProxyFile(name, program ?? '');

    assert.is(code, 0, stdout + stderr);
  });
}

test.run();
