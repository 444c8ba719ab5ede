import { suite } from 'uvu';

suite('empty').run();
