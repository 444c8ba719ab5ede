// @ts-check

/** How MCP is spoken with a server. @type {Readonly<Record<NonNullable<import('./server-status.js').ServerRecord['transport']>, string>>} */
export const transportWords = { stdio: 'stdio', streamable_http: 'Streamable HTTP', sse: 'HTTP with SSE' };
