#!/usr/bin/env node
// Starts the service.
import { importProgram } from './import-program.js';

await importProgram('server');
