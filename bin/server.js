#!/usr/bin/env node
// Starts the service from its TypeScript sources.
import { importTypeScript } from './import-typescript.js';

await importTypeScript('server.ts');
