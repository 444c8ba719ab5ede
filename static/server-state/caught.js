// @ts-check
import { ApiFailure } from '../lib/api.js';

/** What failed: `message` is for people. @typedef {{ message: string, code?: string, details: Record<string, unknown> }} Caught */

/** @param {unknown} error @returns {Caught} */
export function caught(error) {
  if (error instanceof ApiFailure)
    return { message: error.message, code: error.code, details: error.details ?? {} };
  return { message: error instanceof Error ? error.message : String(error), details: {} };
}
