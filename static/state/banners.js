// @ts-check
// Present problems as sentences, the worst first. Problems that concern nobody are left out: a missing engine counts only
// when a server needs one.

/** @param {import('./page-state.js').State} state @returns {{ key: string, kind: string, text: string }[]} */
export function bannersOf({ live, reachable, status, servers, group, saved, isLoaded, isLocked, isAsking }) {
  const isLost = live === 'lost' || !reachable;
  const needsEngine = servers.some((server) => server.image);
  const { database, engine, configs, secrets } = status ?? {};
  const unclear = saved?.warnings?.filter((one) => one !== configs?.reason);
  return [
    isLocked && bad('token', 'This gateway asks for its admin token.'),
    isLost &&
      !isLocked &&
      !isAsking &&
      bad(
        'manager',
        `The manager does not answer. ${isLoaded ? 'What you see is the last it said; trying' : 'Trying'} again.`,
      ),
    isBroken(database) &&
      bad(
        'database',
        `${because(database, 'The database is away')} Agents are still served; changes may fail meanwhile.`,
      ),
    isBroken(engine) &&
      needsEngine &&
      warn(
        'engine',
        `${because(engine, 'The container engine does not answer')} Servers from images cannot be started.`,
      ),
    secrets?.reachable === false &&
      warn(
        'secrets',
        'The secrets manager does not answer. Servers that need its secrets cannot be started.',
      ),
    saved?.problem &&
      bad(
        'group',
        `The file of ${group} cannot be used: ${saved.problem} Agents get its last good version, and nothing is saved here until it is repaired.`,
      ),
    isBroken(configs) && warn('configs', configs?.reason ?? ''),
    unclear?.length && warn('warnings', firstOf(unclear)),
  ].filter((banner) => typeof banner === 'object');
}

/** @typedef {import('../lib/api.js').AnswerOf<'GET /api/status'>['database'] | undefined} Part */
/** @param {Part} part */
const isBroken = (part) => part?.ok === false;
/** A sentence, the service's own where there is one. @param {Part} part @param {string} otherwise */
const because = (part, otherwise) => `${(part?.reason || otherwise).replace(/\.$/, '')}.`;
/** One is long enough; the service logs them all. @param {readonly string[]} sentences */
const firstOf = ([first, ...more]) => first + (more.length ? ` The log has ${more.length} more.` : '');
/** @param {string} key @param {string} text */
const bad = (key, text) => ({ key, kind: 'bad', text });
/** @param {string} key @param {string} text */
const warn = (key, text) => ({ key, kind: 'warn', text });
