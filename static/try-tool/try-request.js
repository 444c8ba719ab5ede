// @ts-check
// A call of a tool by the manager, with administration rights; agents need not have the tool.

/**
 * @param {{ api: Pick<import('../lib/api.js').Api, 'call'>, tool: string, group: string, argumentsJson: string,
 *   signal: AbortSignal }} request The arguments are sent as the text they are, so that large numbers stay exact.
 * @returns {Promise<import('./tool-result.js').Outcome>}
 */
export async function tryTool({ api, tool, group, argumentsJson, signal }) {
  const body = `{"arguments":${argumentsJson},"group":${JSON.stringify(group)}}`;
  const { result, milliseconds, warnings } = await api.call('POST /api/tools/{tool}/try', {
    path: { tool },
    body,
    signal,
  });
  return { result, milliseconds, warnings };
}
