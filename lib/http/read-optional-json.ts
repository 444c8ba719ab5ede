import { readJson } from './read-body.ts';

/** As `readJson`; a request that announces no body asks for nothing special: `{}`. */
export async function readOptionalJson(request: Request, maxBytes: number): Promise<unknown> {
  const { headers } = request;
  const isAnnounced =
    headers.has('content-type') ||
    headers.has('transfer-encoding') ||
    Number(headers.get('content-length') ?? 0) > 0;
  return isAnnounced ? await readJson(request, maxBytes) : {};
}
