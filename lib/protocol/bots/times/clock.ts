const DAY = 86_400_000;
const formats = new Map<string, Intl.DateTimeFormat>();

/** By how much the clock of a zone is ahead of UTC at an instant. */
export function offsetAt(zone: string, at: number): number {
  const [, sign, hours, minutes] = /GMT([+-])(\d\d):(\d\d)/.exec(formatOf(zone).format(at)) ?? [];
  return sign === undefined ? 0 : (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
}

function formatOf(zone: string): Intl.DateTimeFormat {
  const format = formats.get(zone) ?? new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' });
  formats.set(zone, format);
  return format;
}

/**
 * When the clock of a zone shows a time, which is written as if it were one of UTC. `again`: once more, where clocks were put back. `late`: never, where
 * they were put forward, and this is the instant that is by so much later.
 */
export function instantsOf(zone: string, shown: number): { at?: number; again?: number; late?: number } {
  const before = offsetAt(zone, shown - DAY);
  const after = offsetAt(zone, shown + DAY);
  const [at, again] = [shown - before, shown - after];
  if (before === after) return { at };
  if (offsetAt(zone, at) !== before) return offsetAt(zone, again) === after ? { at: again } : { late: at };
  return again > at && offsetAt(zone, again) === after ? { at, again } : { at };
}
