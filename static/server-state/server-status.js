// @ts-check
// A server's record in words: its state, its failures, and since when it is up.

/** It holds the names of variables, never their values. @typedef {import('../../handlers/manager/servers/server-record-structs.ts').ServerRecord} ServerRecord */

/** @typedef {import('../../handlers/manager/servers/server-record-structs.ts').ServerDetails} ServerDetails */

/** @typedef {'good' | 'info' | 'warn' | 'bad' | 'quiet'} Kind */

/** @type {Record<ServerRecord['status'], [Kind, string]>} */
const words = {
  connected: ['good', 'Connected'],
  running: ['good', 'Running'],
  connecting: ['info', 'Connecting'],
  created: ['info', 'Created'],
  restarting: ['info', 'Restarting'],
  removing: ['info', 'Being removed'],
  idle: ['quiet', 'Idle'],
  paused: ['warn', 'Paused'],
  exited: ['warn', 'Stopped'],
  unknown: ['warn', 'Unknown'],
  'not found': ['bad', 'Container missing'],
  dead: ['bad', 'Dead'],
  failed: ['bad', 'Failed'],
};

/**
 * @param {ServerRecord} server
 * @returns {{ kind: Kind, word: string }}
 */
export function statusOf(server) {
  const { status, problem } = server;
  if (problem && status !== 'failed') return { kind: 'warn', word: 'Change not in effect' };
  if (problem) return { kind: 'bad', word: 'Config broken' };
  if (server.missing_variables?.length) return { kind: 'warn', word: 'Variables missing' };
  if (status === 'running' && server.last_error) return { kind: 'warn', word: 'Running, with errors' };
  const [kind, word] = words[status] ?? ['quiet', status];
  return { kind, word };
}

/** What went wrong, worst first; empty for a server that is well. @param {ServerRecord} server */
export function troubleOf(server) {
  if (server.problem) return server.problem;
  if (server.missing_variables?.length) return `No value for ${server.missing_variables.join(', ')}`;
  return server.last_error_line ?? server.last_error ?? '';
}

/** "2 problems in its definitions", those that are only counted among them; false for a server without. @param {Pick<ServerRecord, 'problems'>} server */
export function problemsText({ problems = [] }) {
  const [, more] = /^And (\d+) more/.exec(problems.at(-1) ?? '') ?? [];
  const count = problems.length + (more ? Number(more) - 1 : 0);
  return count > 0 && `${counted(count, 'problem')} in its definitions`;
}

/** "1,204 calls, 0.4% failed"; nothing before the first call. @param {ServerRecord} server */
export function callsText({ calls = 0, errors = 0 }) {
  if (calls === 0) return 'No calls';
  const all = counted(calls, 'call');
  return errors === 0 ? all : `${all}, ${percentText(errors / calls)} failed`;
}

/** @param {number} part */
function percentText(part) {
  const percent = part * 100;
  if (percent < 0.1) return 'under 0.1%';
  return `${percent < 10 ? Number(percent.toFixed(1)) : Math.round(percent)}%`;
}

/** @type {readonly (readonly [number, string])[]} */
const lengths = [
  [86_400, 'd'],
  [3_600, 'h'],
  [60, 'min'],
];

/** "up 3 h"; empty while it is not up. @param {string | undefined} since @param {number} [now] Milliseconds. */
export function uptimeText(since, now = Date.now()) {
  if (!since) return '';
  const seconds = Math.max(0, (now - Date.parse(since)) / 1000);
  const [length, unit] = lengths.find(([size]) => seconds >= size) ?? [];
  return length === undefined ? 'up < 1 min' : `up ${Math.floor(seconds / length)} ${unit}`;
}

/** @param {number} count @param {string} one */
export function counted(count, one) {
  return `${count.toLocaleString('en')} ${one}${count === 1 ? '' : 's'}`;
}
