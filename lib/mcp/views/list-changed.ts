/** Told to the sessions of a group whose visible lists are others now (mcp-spec rule 43). */
export type ListName = 'tools' | 'prompts' | 'resources';

export function listChanged(list: ListName): string {
  return `{"jsonrpc":"2.0","method":"notifications/${list}/list_changed"}`;
}
