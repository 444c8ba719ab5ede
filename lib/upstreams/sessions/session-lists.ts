import type { ToolListing } from '../../catalog/catalog.ts';
import { withProblems } from '../../catalog/tool-judge.ts';

/**
 * What a stateful server offers everybody, out of what it lists to its sessions. To a session whose client declared less
 * it may list less (decision 0021), so a tool that is missing there is gone only when that very session was listed it before.
 */
export interface SessionLists {
  /** What the listing connection was listed, whose capabilities are the fullest. */
  readonly listed: (tools: ToolListing) => void;
  /** For the connection of one session: what it is listed from now on. */
  forSession(): (tools: ToolListing) => void;
}

export interface SessionListsOptions {
  /** Lists over the listing connection, and tells `listed`. */
  readonly list: () => Promise<unknown>;
  readonly onTools: (tools: ToolListing) => void;
}

export function createSessionLists({ list, onTools }: SessionListsOptions): SessionLists {
  let known: ToolListing | undefined;

  function listed(tools: ToolListing): void {
    known = tools;
    onTools(tools);
  }

  async function take(tools: ToolListing, gone: ReadonlySet<string>): Promise<void> {
    // What others listed before this process began stands in the database alone.
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
        // A server that cannot be listed keeps what it has; why is told where it failed.
        take(tools, gone).catch(() => {});
      };
    },
  };
}

/** Undefined: nothing is new. */
function merge(known: ToolListing, tools: ToolListing, gone: ReadonlySet<string>): ToolListing | undefined {
  const latest = new Map(tools.map((tool) => [tool.name, tool]));
  const names = new Set(known.map(({ name }) => name));
  const kept = known.filter(({ name }) => !gone.has(name)).map((tool) => latest.get(tool.name) ?? tool);
  const added = tools.filter(({ name }) => !names.has(name));
  const isSame = added.length === 0 && kept.length === known.length && kept.every(isAsIn(known));
  return isSame ? undefined : withProblems([...kept, ...added], known.problems ?? []);
}

function isAsIn(known: ToolListing): (tool: ToolListing[number], at: number) => boolean {
  return (tool, at) => tool.definition === known[at]?.definition;
}
