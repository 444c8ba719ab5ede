// @ts-check
import { lazyDialog } from '../lib/lazy.js';

/** Calls one tool as an agent would. */
export const TryToolDialog = lazyDialog(async () => (await import('./try-tool.js')).TryTool);
