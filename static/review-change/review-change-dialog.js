// @ts-check
import { lazyDialog } from '../lib/lazy.js';

/** What changed in a tool's definition since it was approved, and the one way to accept it. */
export const ReviewChangeDialog = lazyDialog(async () => (await import('./review-change.js')).ReviewChange);
