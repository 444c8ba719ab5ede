// @ts-check
// A call that the manager makes for whoever administrates, of a tool that agents need not have.

/**
 * @param {{ api: Pick<import('../lib/api.js').Api, 'post'>, tool: string, group: string, argumentsJson: string,
 *   signal: AbortSignal }} wish The arguments are sent as they are, so that large numbers stay what they are.
 * @returns {Promise<import('./tool-result.js').Outcome>}
 */
export async function tryTool({ api, tool, group, argumentsJson, signal }) {
  const path = `/api/tools/${encodeURIComponent(tool)}/try`;
  const body = `{"arguments":${argumentsJson},"group":${JSON.stringify(group)}}`;
  const { result, milliseconds, warnings } = await api.post(path, body, { signal });
  return { result, milliseconds, warnings };
}
