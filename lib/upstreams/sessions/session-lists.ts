import type { ToolListing } from '../../catalog/catalog.ts';
import { withProblems } from '../../catalog/tool-judge.ts';

/**
 * The tools of a stateful server, merged from the lists of its sessions. To a session whose client declared less the server
 * may list less (decision 0021), so a missing tool is gone only when an earlier list of that very session had it.
 */
export interface SessionLists {
  /** For the listing connection, which declares the most capabilities. */
  readonly listed: (tools: ToolListing) => void;
  /** For the connection of one session. */
  forSession(): (tools: ToolListing) => void;
}

export interface SessionListsOptions {
  /** Lists over the listing connection, which calls `listed`. */
  readonly list: () => Promise<unknown>;
  readonly onTools: (tools: ToolListing) => void;
}

export function createSessionLists({ list, onTools }: SessionListsOptions): SessionLists {
  let known: ToolListing | undefined;

  function listed(tools: ToolListing): void {
    known = tools;
    onTools(tools);
  }

  async function apply(tools: ToolListing, gone: ReadonlySet<string>): Promise<void> {
    // Lists of earlier processes are in the database only.
    if (known === undefined) await list();
    const merged = known && merge(known, tools, gone);
    if (merged) listed(merged);
  }

  return {
    listed,
    forSession() {
      let before: readonly string[] = [];
      return (tools) => {
        const names = tools.map(({ name }) => name);
        const gone = new Set(before.filter((name) => !names.includes(name)));
        before = names;
        // A server that cannot be listed keeps its tools; the failure is reported by its connection.
        apply(tools, gone).catch(() => {});
      };
    },
  };
}

/** Undefined: nothing has changed. */
function merge(known: ToolListing, tools: ToolListing, gone: ReadonlySet<string>): ToolListing | undefined {
  const latest = new Map(tools.map((tool) => [tool.name, tool]));
  const names = new Set(known.map(({ name }) => name));
  const remaining = known.filter(({ name }) => !gone.has(name)).map((tool) => latest.get(tool.name) ?? tool);
  const added = tools.filter(({ name }) => !names.has(name));
  const isSame = added.length === 0 && remaining.length === known.length && remaining.every(isAsIn(known));
  return isSame ? undefined : withProblems([...remaining, ...added], known.problems ?? []);
}

function isAsIn(known: ToolListing): (tool: ToolListing[number], at: number) => boolean {
  return (tool, at) => tool.definition === known[at]?.definition;
}
