// @ts-check
// The exact command or request, shown before it runs.
import { html } from '../lib/html.js';
import { CopyButton } from '../lib/ui.js';
import { dockerLine, hostLine, onFile } from '../progress/command-line.js';
import { fileOf } from './form-requests.js';

/** @typedef {import('./form-fields.js').ConfigBody} ConfigBody */

/** @param {{ body: import('../progress/command-line.js').SentServer, rule?: import('../lib/api-rules.js').Rule }} props */
export function WhatRuns({ body, rule }) {
  if (body.image !== undefined)
    return html`<${Snippet} title="This will run" text=${dockerLine(body, rule)} />`;
  if (body.url !== undefined)
    return html`<${Snippet} title="The gateway will connect to" text=${body.url} />`;
  return html`<${Snippet} title="This will run on the gateway's host" text=${hostLine(body)} />`;
}

/** For those who may not run programs on the host from here. @param {{ config: ConfigBody, command: string }} props */
export function TerminalLines({ config, command }) {
  const file = `${config.name || 'server'}.json`;
  return html`
    <div class="stack terminal">
      <p>
        A command runs as a program on the gateway's host, so it is registered from a terminal there.
        With an admin token this page may do it, too.
      </p>
      <${Snippet} title=${`1. Save as ${file}, and fill in the values`} text=${fileOf(config)} />
      <${Snippet} title="2. Run" text=${`${command} register -c ${onFile(command, file)}`} />
      <${SetAdminToken} />
    </div>`;
}

/** The same for a person with a terminal where the service runs. */
export function SetAdminToken() {
  return html`
    <details class="more">
      <summary>Or let this page run commands</summary>
      <p>
        Give the service an <code>ADMIN_TOKEN</code>, in its environment or in the <code>.env</code> of the folder it is started in,
        and restart it. This page then asks for the token, and so does everything else that changes servers.
      </p>
      <${Snippet} title="In that folder" text=${'echo "ADMIN_TOKEN=$(openssl rand -hex 32)" >> .env'} />
    </details>`;
}

/** @param {{ title: string, text: string }} props */
export function Snippet({ title, text }) {
  return html`
    <figure class="snippet">
      <figcaption class="row"><span>${title}</span><span class="push"><${CopyButton} text=${text} label=${title} /></span></figcaption>
      <pre class="foreign" tabindex="0" role="group" aria-label=${title}>${text || '…'}</pre>
    </figure>`;
}
