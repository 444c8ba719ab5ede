import { notificationText } from '../../json-rpc/write.ts';

/** Told to the sessions of a group whose visible lists are others now (mcp-spec rule 43). */
export type ListName = 'tools' | 'prompts' | 'resources';

export function listChanged(list: ListName): string {
  return notificationText(`notifications/${list}/list_changed`);
}
