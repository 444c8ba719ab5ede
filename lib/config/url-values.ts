/**
 * The parts of an address that can be somebody's secret: the value of each query parameter, a query or a part of it
 * without a name, and what follows `#`. Which of them are secrets no name tells (`key`, `s`, `id`), so all count.
 */
export interface UrlValue {
  /** The parameter's name. */
  readonly key: string;
  /** As it stands in the address, percent-encoding included. */
  readonly value: string;
}

export function urlValues(url: string): UrlValue[] {
  const values: UrlValue[] = [];
  mapUrlValues(url, (key, value) => {
    values.push({ key, value });
    return value;
  });
  return values;
}

/** @param change Gives the new text of each part; `at` counts them. */
export function mapUrlValues(
  url: string,
  change: (key: string, value: string, at: number) => string,
): string {
  const [, head = '', query, fragment] = url.match(/^([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/s) ?? [];
  let at = 0;
  const next = (key: string, value: string) => change(key, value, at++);
  const changed = query?.split('&').map((part) => {
    const equals = part.indexOf('=');
    if (equals < 0) return part === '' ? part : next('query', part);
    return part.slice(0, equals + 1) + next(part.slice(0, equals), part.slice(equals + 1));
  });
  const ending = fragment === undefined ? '' : `#${next('fragment', fragment)}`;
  return `${head}${changed === undefined ? '' : `?${changed.join('&')}`}${ending}`;
}
