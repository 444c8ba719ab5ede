// @ts-check
import { lazyDialog } from '../lib/lazy.js';

/** "Add MCP Server". */
export const AddServerDialog = lazyDialog(async () => (await import('./add-server.js')).AddServer);
