// @ts-check
// How to connect an agent to the group: the endpoint, and the configuration of each common client.
import { html, useEffect, useState } from '../lib/html.js';
import { CopyButton, Tabs } from '../lib/ui.js';

/** @typedef {import('../lib/api.js').AnswerOf<'GET /api/groups/{name}/clients'>['clients']} Clients */

/** @type {{ of: string, clients: Clients }} */
const nobody = { of: '', clients: [] };
const againMs = 2_000;

/** @param {{ group: string, api: import('../lib/api.js').Api, endpoint: string, isLive: boolean }} props */
export function ConnectPanel({ group, api, endpoint, isLive }) {
  const clients = useClients(api, group, endpoint, isLive);
  const [chosen, setChosen] = useState('claude-code');
  const client = clients.find(({ id }) => id === chosen) ?? clients[0];
  return html`
    <section class="connect card" aria-labelledby="connect-title">
      <h2 id="connect-title">Connect an agent</h2>
      <div>
        <p class="soft">Endpoint of ${group}, MCP over Streamable HTTP</p>
        <div class="endpoint">
          <code class="foreign" id="endpoint">${endpoint}</code>
          <${CopyButton} text=${endpoint} label="the endpoint" />
        </div>
      </div>
      ${
        client &&
        html`
          <${Tabs} label="Client" value=${client.id} onChange=${setChosen} tabs=${clients}>
            <p class="soft">${withCode(client.where)}</p>
            <pre class="foreign" tabindex="0" aria-label=${`Configuration for ${client.label}`}>${client.text}</pre>
            <${CopyButton} text=${client.text} label="the configuration" />
          <//>`
      }
    </section>`;
}

/**
 * Fetched again whenever the page becomes live, since a failure leaves none; the configuration of another group is never
 * shown.
 * @param {import('../lib/api.js').Api} api @param {string} group @param {string} endpoint @param {boolean} isLive
 */
function useClients(api, group, endpoint, isLive) {
  const [known, setKnown] = useState(nobody);
  useEffect(() => {
    let isCurrent = true;
    const ask = () =>
      api.call('GET /api/groups/{name}/clients', { path: { name: group } }).then(
        ({ clients }) => isCurrent && setKnown({ of: group, clients }),
        () => void (isLive && setTimeout(() => isCurrent && ask(), againMs)),
      );
    void ask();
    return () => {
      isCurrent = false;
    };
  }, [group, endpoint, isLive]);
  return known.of === group ? known.clients : [];
}

/** Text with `code` in back-quotes. @param {string} text */
function withCode(text) {
  return text.split('`').map((part, at) => (at % 2 === 1 ? html`<code>${part}</code>` : part));
}
