const STEPS: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_557_600_000],
  ['month', 2_629_800_000],
  ['week', 604_800_000],
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
];

/** "3 hours ago", "in 2 days", "just now" (under a minute). Both times in epoch milliseconds. What lies ahead is
 * rounded: a link that was good for seven days a moment ago still is. */
export function toRelativeTime(
  atMs: number,
  nowMs: number,
  { locale, style }: { locale?: string; style?: Intl.RelativeTimeFormatStyle } = {},
): string {
  const distance = atMs - nowMs;
  const step = STEPS.find(([, ms]) => Math.abs(distance) >= ms);
  if (!step) return 'just now';
  const [unit, ms] = step;
  return new Intl.RelativeTimeFormat(locale, { numeric: 'auto', style }).format(
    distance > 0 ? Math.round(distance / ms) : Math.trunc(distance / ms),
    unit,
  );
}
