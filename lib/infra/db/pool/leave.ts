import type postgres from 'postgres';

/** The driver's types lack it. */
type Closing = { close(): Promise<unknown> };

/** What is under way goes on for so long, and what waits for a connection that does not come is told so then. What waits has connections opened again, which `end` has forgotten: they are closed then, and once more. */
export function leave(client: postgres.Sql, seconds: number): void {
  client.end({ timeout: seconds }).catch(() => undefined);
  const close = () => (client as unknown as Closing).close().catch(() => undefined);
  for (const times of [1, 2]) setTimeout(close, times * seconds * 1000).unref();
}
