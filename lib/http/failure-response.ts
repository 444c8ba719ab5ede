import type { Failure } from '../failure.ts';
import { jsonResponse } from './responses.ts';

/** The failure shape of the manager API and of plain gateway paths (contract section 1). */
export function failureBody(failure: Failure, requestId: string): Record<string, unknown> {
  return {
    success: false,
    error: failure.message,
    code: failure.code,
    request_id: requestId,
    ...(failure.details === undefined ? {} : { details: failure.details }),
  };
}

export function failureResponse(failure: Failure, requestId: string): Response {
  return jsonResponse(failureBody(failure, requestId), failure.status, failure.headers);
}
