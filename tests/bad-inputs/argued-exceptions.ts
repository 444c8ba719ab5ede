/** Cases whose answer is not the preferred one, by id, and why it is the better one here. All others are exact. */
export const arguedExceptions: Readonly<Record<string, string>> = {
  'http-009':
    'Two Host headers are 403 `host_not_allowed` (docs/api.md, Guard): the guard ' +
    'cannot say which of the two is ours, so it refuses both like any Host that is not. RFC 9112 would have 400.',
};
