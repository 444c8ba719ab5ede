// @ts-check
import { lazyDialog } from '../lib/lazy.js';

/** One server in full, at the side of the page. */
export const ServerDrawer = lazyDialog(async () => (await import('./server-details.js')).ServerDetails);
