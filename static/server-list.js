// Servers and their tools as fieldsets of checkboxes. Nodes are kept and changed in place, so that a refresh moves
// neither focus nor scroll. Whatever came from a server is text, never markup.

/** @param onTick Called with a tool's name and whether it is ticked now. */
export function createServerList(container, onTick) {
  const rows = new Map();

  /** The row kept under this key, made when it is new. */
  function row(key, make) {
    if (!rows.has(key)) rows.set(key, make());
    return rows.get(key);
  }

  function toolRow(tool, isOn) {
    const { node, box, state, description } = row(`tool ${tool.name}`, () => makeTool(tool.name, onTick));
    box.checked = isOn;
    state.textContent = tool.state === 'present' ? '' : tool.state;
    description.textContent = tool.description;
    return node;
  }

  function serverRow(server, wanted) {
    const { node, status, note, tools } = row(`server ${server.name}`, () => makeServer(server.name));
    const on = server.tools.filter((tool) => wanted.has(tool.name)).length;
    status.textContent = `${server.status ?? 'not registered'}, ${on} of ${server.tools.length} tools`;
    note.textContent = server.last_error ?? server.description ?? '';
    const nodes = server.tools.map((tool) => toolRow(tool, wanted.has(tool.name)));
    arrange(tools, nodes);
    return node;
  }

  return {
    /** @param servers With the `tools` of each. @param wanted Set of the names that are ticked. */
    show: (servers, wanted) =>
      arrange(
        container,
        servers.map((server) => serverRow(server, wanted)),
      ),
  };
}

function makeServer(name) {
  const [node, legend, status] = [make('fieldset'), make('legend', name), make('span')];
  const [note, tools] = [make('p'), make('div')];
  legend.append(' ', status);
  node.append(legend, note, tools);
  return { node, status, note, tools };
}

function makeTool(name, onTick) {
  const [node, box, text] = [make('label'), make('input'), make('span')];
  const [state, description] = [make('em'), make('small')];
  box.type = 'checkbox';
  box.addEventListener('change', () => onTick(name, box.checked));
  text.append(make('code', name), ' ', state, description);
  node.append(box, text);
  return { node, box, state, description };
}

function make(tag, text = '') {
  return Object.assign(document.createElement(tag), { textContent: text });
}

/** Touches the document only when the nodes differ from those that are there. */
function arrange(parent, nodes) {
  const { children } = parent;
  if (nodes.length === children.length && nodes.every((node, at) => node === children[at])) return;
  parent.replaceChildren(...nodes);
}
