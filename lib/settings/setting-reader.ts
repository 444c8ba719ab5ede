/** Reads and checks single settings; `settings.ts` lists them. Values may be secret and are never shown. */
export type EnvironmentVariables = Readonly<Record<string, string | undefined>>;

export class SettingError extends Error {
  constructor(name: string, sentence: string) {
    super(`${name}: ${sentence}.`);
    this.name = 'SettingError';
  }
}

export interface SettingReader {
  text(name: string, fallback: string): string;
  optionalText(name: string): string | undefined;
  required(name: string, because: string): string;
  integer(name: string, fallback: number, least: number, most: number): number;
  /** A comma-separated list; empty when unset. */
  list(name: string): readonly string[];
  /** A list of acceptable items; `expected` describes them in the plural. */
  checkedList(name: string, isAcceptable: (item: string) => boolean, expected: string): readonly string[];
  word<Word extends string>(name: string, fallback: Word, words: readonly Word[]): Word;
  words<Word extends string>(
    name: string,
    fallback: readonly Word[],
    words: readonly Word[],
  ): readonly Word[];
  /** An http or https address without a trailing slash. */
  url(name: string): string | undefined;
}

/** An empty value counts as unset: `.env` files and compose files leave such lines. */
export function createSettingReader(variables: EnvironmentVariables): SettingReader {
  function optionalText(name: string): string | undefined {
    const value = variables[name]?.trim();
    return value === '' ? undefined : value;
  }

  function list(name: string): readonly string[] {
    return (optionalText(name) ?? '')
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== '');
  }

  return {
    optionalText,
    list,
    checkedList(name, isAcceptable, expected) {
      const items = list(name);
      if (!items.every(isAcceptable)) throw new SettingError(name, `expected ${expected}`);
      return items;
    },
    text: (name, fallback) => optionalText(name) ?? fallback,
    required(name, because) {
      const value = optionalText(name);
      if (value === undefined) throw new SettingError(name, `must be set because ${because}`);
      return value;
    },
    integer(name, fallback, least, most) {
      const value = optionalText(name);
      if (value === undefined) return fallback;
      const number = Number(value);
      if (!/^\d+$/.test(value) || number < least || number > most) {
        throw new SettingError(name, `expected a whole number from ${least} to ${most}`);
      }
      return number;
    },
    word(name, fallback, words) {
      const value = optionalText(name);
      if (value === undefined) return fallback;
      const known = words.find((word) => word === value);
      if (known === undefined) throw new SettingError(name, `expected one of ${words.join(', ')}`);
      return known;
    },
    words(name, fallback, words) {
      if (optionalText(name) === undefined) return fallback;
      return list(name).map((item) => {
        const known = words.find((word) => word === item);
        if (known === undefined) throw new SettingError(name, `expected a list of ${words.join(', ')}`);
        return known;
      });
    },
    url(name) {
      const value = optionalText(name);
      if (value === undefined) return undefined;
      if (!/^https?:\/\/[^/]/.test(value) || !URL.canParse(value)) {
        throw new SettingError(name, 'expected an address that starts with http:// or https://');
      }
      return value.replace(/\/+$/, '');
    },
  };
}
