import { elementsOf, membersOf, type Span } from '../json/raw-json.ts';

/** Removes, replaces and adds members and elements of raw JSON text; the rest stays byte for byte. */

/** The new text of a value; undefined removes it. */
export type Edit<Key> = (value: string, key: Key) => string | undefined;

/** Of duplicate members readers take the last one, so the last one is edited; a removal removes all of them. */
export function editMembers(object: string, edit: Edit<string>): string {
  const members = membersOf(object);
  const edited = new Map<string, string | undefined>();
  const lastAt = new Map<string, number>();
  for (const [at, { key, start, end }] of members.entries()) {
    edited.set(key, object.slice(start, end));
    lastAt.set(key, at);
  }
  for (const [key, value] of edited) edited.set(key, value === undefined ? undefined : edit(value, key));
  return editSpans(object, members, (value, at) => {
    const { key } = members[at] ?? { key: '' };
    return lastAt.get(key) === at || edited.get(key) === undefined ? edited.get(key) : value;
  });
}

export function editElements(list: string, edit: Edit<number>): string {
  return editSpans(list, elementsOf(list), edit);
}

/** In front of all others. @param key Without anything that needs to be escaped. */
export function withMember(object: string, key: string, value: string): string {
  const open = object.indexOf('{') + 1;
  const comma = membersOf(object).length > 0 ? ',' : '';
  return `${object.slice(0, open)}"${key}":${value}${comma}${object.slice(open)}`;
}

/** The spans are values; the text before each value, since the previous one, belongs to it. */
function editSpans(text: string, spans: readonly Span[], edit: Edit<number>): string {
  const first = spans[0];
  if (first === undefined) return text;
  // After the opening bracket.
  const open = text.search(/[{[]/) + 1;
  let made = text.slice(0, open);
  let copied = open;
  let isFirst = true;
  for (const [at, { start, end }] of spans.entries()) {
    const before = text.slice(copied, start);
    copied = end;
    const value = edit(text.slice(start, end), at);
    if (value === undefined) continue;
    made += (isFirst ? before.replace(/^\s*,/, '') : before) + value;
    isFirst = false;
  }
  return made + text.slice(copied);
}
