// @ts-check

/** @type {readonly (readonly [Intl.RelativeTimeFormatUnit, number])[]} */
const units = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];

/**
 * "5 minutes ago", in the page's language. Empty for no date.
 * @param {Date | string | number | null | undefined} date
 * @param {number} [now] Milliseconds.
 */
export function timeAgo(date, now = Date.now()) {
  const time = date === null || date === undefined ? Number.NaN : new Date(date).getTime();
  if (Number.isNaN(time)) return '';
  const seconds = (now - time) / 1000;
  const [unit, length] = units.find(([, size]) => seconds >= size) ?? [];
  if (unit === undefined || length === undefined) return 'just now';
  return new Intl.RelativeTimeFormat('en', { numeric: 'always' }).format(-Math.floor(seconds / length), unit);
}
