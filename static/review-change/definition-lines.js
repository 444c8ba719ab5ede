// @ts-check
// A tool's definition as lines that a person can compare. Invisible characters are written out, so that texts which look
// alike are alike.

/** Controls, formats, odd spaces, and all that is drawn as nothing. */
const unseen = /(?! )[\p{Cc}\p{Cf}\p{Zs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/** @param {string} definition JSON as the server sent it. @returns {string[]} */
export function definitionLines(definition) {
  return indented(definition).split('\n').flatMap(brokenLines).map(written);
}

/** As it is, where notation alone differs. @param {string} definition @returns {string[]} */
export function rawLines(definition) {
  return definition.split('\n').map(written);
}

/** @param {string} definition */
function indented(definition) {
  try {
    return JSON.stringify(JSON.parse(definition), null, 2);
  } catch {
    return definition;
  }
}

/** Long descriptions have lines of their own; an escaped backslash before an `n` is none. @param {string} line */
function brokenLines(line) {
  const indent = /^ */.exec(line)?.[0] ?? '';
  const parts = line.replaceAll(/\\\\|\\n/g, (found) => (found === '\\n' ? '\\n\n' : found)).split('\n');
  return parts.map((part, at) => (at === 0 ? part : `${indent}  ${part}`));
}

/** @param {string} line */
function written(line) {
  return line.replaceAll(unseen, (character) => {
    const code = (character.codePointAt(0) ?? 0).toString(16);
    return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, '0')}`;
  });
}
