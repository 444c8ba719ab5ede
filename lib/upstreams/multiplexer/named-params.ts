import { memberText, replaceMembers } from '../../json/raw-json.ts';

/**
 * A client sees one server, the group; so questions and log messages of the servers behind it carry their names
 * (docs/protocol.md, rules 44 and 50). All values here are raw JSON text.
 */
const serverKey = 'svc-mcp/server';

/**
 * The params of a server's request: a question for a person begins with the name, others have it in `_meta`.
 * @param params of an object.
 */
export function withServerName(params: string, method: string, server: string): string {
  const named = method === 'elicitation/create' ? prefixMessage(params, `[${server}] `) : params;
  const mark = `${JSON.stringify(serverKey)}:${JSON.stringify(server)}`;
  const meta = memberText(named, '_meta');
  if (meta === undefined) return withMember(named, `"_meta":{${mark}}`);
  return replaceMembers(named, 0, {
    _meta: (text) => (text.startsWith('{') ? withMember(text, mark) : text),
  });
}

/** A log message with its logger named `<server>/<logger>`; unchanged when its params are no object. */
export function withServerLogger(notification: string, server: string): string {
  return replaceMembers(notification, 0, {
    params(params) {
      if (!params.startsWith('{')) return params;
      const logger = memberText(params, 'logger');
      if (logger === undefined) return withMember(params, `"logger":${JSON.stringify(server)}`);
      return replaceMembers(params, 0, { logger: (text) => prefixed(text, `${server}/`) });
    },
  });
}

function prefixMessage(params: string, prefix: string): string {
  return replaceMembers(params, 0, { message: (text) => prefixed(text, prefix) });
}

function prefixed(text: string, prefix: string): string {
  return text.startsWith('"') ? `"${JSON.stringify(prefix).slice(1, -1)}${text.slice(1)}` : text;
}

/** The object with one more member at its end. */
function withMember(object: string, member: string): string {
  const body = object.trimEnd().slice(0, -1).trimEnd();
  return `${body}${body.endsWith('{') ? '' : ','}${member}}`;
}
