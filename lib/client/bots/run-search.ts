import { RUN_STATES } from '#lib/protocol/bots/bots.ts';
import { TRIGGER_NAMES } from '#lib/protocol/bots/triggers.ts';

const HOUR = 3_600_000;
const SPANS = { hour: HOUR, day: 24 * HOUR, week: 7 * 24 * HOUR, month: 30 * 24 * HOUR } as const;

/** `failing`: whatever did not end well. */
export const STATUSES = ['any', 'failing', ...RUN_STATES] as const;
export const CAUSES = ['any', ...TRIGGER_NAMES] as const;
export const WINDOWS = ['any', 'hour', 'day', 'week', 'month'] as const;

/** What the page shows, as its URL says it; `bot` is an id, empty for all of them. */
export type RunSearch = {
  bot: string;
  /** Of that bot, a number; null for all of them. */
  version: number | null;
  status: (typeof STATUSES)[number];
  trigger: (typeof CAUSES)[number];
  window: (typeof WINDOWS)[number];
  /** Of equal failures; empty for all runs. */
  fingerprint: string;
};

/** The same as the API takes it. A window ends `now`, in milliseconds. */
export function toRunFilter(
  { bot, version, status, trigger, window, fingerprint }: RunSearch,
  now: number,
): Record<string, string> {
  return {
    ...(bot && { bot }),
    ...(bot && version !== null && { version: String(version) }),
    ...(status !== 'any' && { status }),
    ...(trigger !== 'any' && { trigger }),
    ...(fingerprint && { fingerprint }),
    ...(window !== 'any' && { since: new Date(now - SPANS[window]).toISOString() }),
  };
}
