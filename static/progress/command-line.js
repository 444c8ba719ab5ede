// @ts-check
// Command lines as people write and read them, and as arrays of arguments, which is what is sent and run: no shell
// is ever involved.
import { ruleAt } from '../lib/api-rules.js';

/**
 * Splits a line into words as a shell does: blanks separate, quotes and backslashes keep together.
 * @param {string} line
 * @returns {string[]}
 * @throws Error when a quote is left open.
 */
export function splitWords(line) {
  /** @type {string[]} */
  const words = [];
  /** @type {string | undefined} */
  let word;
  let quote = '';
  for (let at = 0; at < line.length; at++) {
    const sign = line.charAt(at);
    if (quote !== "'" && sign === '\\' && isEscape(line.charAt(at + 1), quote))
      word = (word ?? '') + line.charAt(++at);
    else if (quote && sign === quote) quote = '';
    else if (quote) word += sign;
    else if (sign === '"' || sign === "'") [quote, word] = [sign, word ?? ''];
    else if (!/\s/.test(sign)) word = (word ?? '') + sign;
    else if (word !== undefined) {
      words.push(word);
      word = undefined;
    }
  }
  if (quote) throw new Error('A quote is not closed.');
  return word === undefined ? words : [...words, word];
}

/** Within double quotes a backslash protects only what would end or change them. @param {string} next @param {string} quote */
function isEscape(next, quote) {
  return quote ? next === '"' || next === '\\' : next !== '';
}

/** The command line that a shell splits into these words. @param {readonly string[]} words */
export function joinWords(words) {
  return words
    .map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`))
    .join(' ');
}

/** @typedef {import('../lib/api.js').BodyOf<'POST /api/servers'>} ConfigBody */
/** @typedef {import('../lib/api.js').BodyOf<'POST /api/servers/provision'>} ProvisionBody */

/**
 * The body of a provision, or a registration config.
 * @typedef {Partial<Omit<ConfigBody, 'command'>> & Partial<Pick<ProvisionBody, 'env_vars'>>
 *   & { command?: string | readonly string[] | undefined }} SentServer
 */

/**
 * The `docker` line that does what the container engine will be asked to do. Variables stand by name: docker then takes
 * their values from its own environment.
 * @param {SentServer} server
 * @param {import('../lib/api-rules.js').Rule} [rule] Of the body: its defaults are in effect; absent while it is not known.
 */
export function dockerLine(server, rule) {
  const {
    name,
    image,
    env_vars,
    env = env_vars ?? {},
    port,
    entrypoint = [],
    volumes = [],
    limits = {},
  } = server;
  const [program, ...first] = entrypoint;
  const limit = (/** @type {'memory_mb' | 'cpus' | 'pids'} */ field) =>
    limits[field] ?? ruleAt(rule, `limits.${field}`)?.default;
  return joinWords([
    ...['docker', 'run', '-i', '--init', '--name', `svc-mcp-${name || 'NAME'}`],
    ...['--cap-drop', 'ALL', '--security-opt', 'no-new-privileges'],
    ...optionOf('--memory', textOf(limit('memory_mb'), 'm')),
    ...optionOf('--cpus', textOf(limit('cpus'))),
    ...optionOf('--pids-limit', textOf(limit('pids'))),
    ...optionOf('--cap-add', server.capabilities),
    ...optionOf('--shm-size', textOf(server.shm_mb, 'm')),
    ...optionOf('--network', server.network),
    ...optionOf('--user', server.user),
    ...(server.read_only ? ['--read-only'] : []),
    ...optionOf('-v', volumes.map(volumeWord)),
    ...optionOf('-p', port === undefined ? [] : [`127.0.0.1::${port}`]),
    ...optionOf('-e', Object.keys(env)),
    ...optionOf('--entrypoint', program),
    image || 'IMAGE',
    ...first,
    ...(server.args ?? [server.command ?? []].flat()),
  ]);
}

/** @param {unknown} value @param {string} [unit] */
const textOf = (value, unit = '') => (value === undefined ? [] : [`${value}${unit}`]);

/** @param {string} option @param {string | readonly string[]} [values] One, several or none. */
const optionOf = (option, values = []) => [values].flat().flatMap((value) => [option, value]);

/** @param {NonNullable<ConfigBody['volumes']>[number]} volume */
const volumeWord = ({ path, source, read_only }) =>
  (source === undefined ? path : `${source}:${path}`) + (read_only ? ':ro' : '');

/** The line shows which variables are set, never their values. @param {Pick<SentServer, 'command' | 'args' | 'env'>} config */
export function hostLine({ command = '', args = [], env = {} }) {
  const variables = Object.keys(env).map((name) => `${name}=•••`);
  return [...variables, joinWords([command, ...args].flat())].join(' ');
}

/**
 * A file of this terminal as an argument. A command that runs in a container has other files, and reads this one from its
 * standard input.
 * @param {string} command @param {string} file
 */
export function onFile(command, file) {
  return /^(\w+=('[^']*'|\S+) )*('[^']*\/|\S*\/)?(npx|node|svc-mcp)\b/.test(command) ? file : `- < ${file}`;
}

/** The service's sentences about its command line, with the command as it is typed on its machine. @param {string} text @param {string} command */
export const asTyped = (text, command) => text.replaceAll('`svc-mcp ', () => `\`${command} `);
