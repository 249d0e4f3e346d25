import type postgres from 'postgres';

/** The driver's types lack it. */
type Closing = { close(): Promise<unknown> };

/** Longer than what is under way takes. */
export const LAST_SECONDS = 600;

/** What is under way goes on for so long. What waits has connections opened again, which `end` has forgotten: they are closed then, and once more. */
export function leave(client: postgres.Sql, seconds: number): void {
  client.end({ timeout: seconds }).catch(() => undefined);
  const close = () => (client as unknown as Closing).close().catch(() => undefined);
  for (const times of [1, 2]) setTimeout(close, times * seconds * 1000).unref();
}

/** For a transaction of this pool: Drizzle sets its parsers there, which the pool has already, and mended. */
export function optionsOf({ options }: postgres.Sql): postgres.Sql['options'] {
  return { ...options, parsers: {}, serializers: {} };
}
