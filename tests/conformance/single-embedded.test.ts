/** One process with its embedded database. */
import { suite } from 'uvu';
import { openKit } from './kit.ts';
import { describeSingleProcess } from './single-process.ts';

const test = suite('conformance, one process, embedded database');

describeSingleProcess(test, await openKit(), 'embedded');

test.run();
