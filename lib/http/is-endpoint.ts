/** Whether agents speak MCP there. Told from the text: what is wrong may be that the URL cannot be parsed. */
export function isEndpoint(url: string): boolean {
  return /^[^?]*\/mcp\/?(\?|$)/.test(url);
}
