import { longestServerName } from '../../names/names.ts';

/** The next name like this one that no server has, such as `crm-2`. */
export function freeNameLike(name: string, isTaken: (name: string) => boolean): string {
  for (let number = 2; ; number++) {
    const ending = `-${number}`;
    const begun = name.slice(0, longestServerName - ending.length).replace(/[._-]+$/, '');
    if (!isTaken(begun + ending)) return begun + ending;
  }
}
