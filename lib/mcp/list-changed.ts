import type { GroupView } from './group-views.ts';

/** Told to the sessions of a group whose visible lists are others now (mcp-spec rule 43). */
export type ListName = 'tools' | 'prompts' | 'resources';

export function listChanged(list: ListName): string {
  return `{"jsonrpc":"2.0","method":"notifications/${list}/list_changed"}`;
}

/** All that sessions of this group may be told: only of what `initialize` declared. */
export function listChangesOf(view: GroupView | undefined): readonly string[] {
  const { prompts = false, resources = false } = view?.offers.can ?? {};
  const lists: readonly ListName[] = [
    'tools',
    ...(prompts ? (['prompts'] as const) : []),
    ...(resources ? (['resources'] as const) : []),
  ];
  return lists.map(listChanged);
}
