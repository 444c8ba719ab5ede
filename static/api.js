// All talk with the manager API. The admin token, when one is needed, lives in this module's memory only.

/** @param askForToken Asked when the API wants a token, or another one; resolves with what was typed. */
export function createApi(askForToken) {
  let token = '';
  /** Several requests that are refused at once ask once. */
  let asking;

  async function send(path, init = {}) {
    const used = token;
    const headers = { ...init.headers, ...(used ? { Authorization: `Bearer ${used}` } : {}) };
    const response = await fetch(path, { ...init, headers });
    if (response.status !== 401) return response;
    if (used === token) {
      asking ??= askForToken().finally(() => {
        asking = undefined;
      });
      token = await asking;
    }
    return send(path, init);
  }

  async function request(path, init) {
    const response = await send(path, init).catch(() => {
      throw new Error('The service does not answer.');
    });
    const body = await response.json().catch(() => ({}));
    if (body.success) return body;
    throw Object.assign(new Error(body.error ?? `HTTP ${response.status}`), { code: body.code });
  }

  return {
    groups: () => request('/api/groups'),
    servers: () => request('/api/servers'),
    tools: (group) => request(`/api/tools?group=${encodeURIComponent(group)}`),
    current: (group) => request(`/api/current?group=${encodeURIComponent(group)}`),
    save: (group, tools, etag) =>
      request(`/api/groups/${encodeURIComponent(group)}/tools`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'If-Match': etag },
        body: JSON.stringify({ tools }),
      }),
    /** Calls back at the start and for all news, until the stream ends. EventSource could not send the token. */
    async follow(onNews) {
      const response = await send('/api/events', { headers: { Accept: 'text/event-stream' } });
      if (!response.ok) return;
      const reader = response.body.getReader();
      do onNews();
      while (!(await reader.read()).done);
    },
  };
}
