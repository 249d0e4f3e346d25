import type postgres from 'postgres';

/** The driver's types lack it. */
type Closing = { close(): Promise<unknown> };

const CLOSE_MS = 1000;

/**
 * What is under way goes on for so long, and what waits for a connection that does not come is told so then. What waits has connections
 * opened again, which `end` has forgotten: while anything may wait they are closed as soon as they have nothing to do, or PostgreSQL would
 * have to bear them beside those of the pool that has come instead.
 */
export function leave(client: postgres.Sql, seconds: number): void {
  client.end({ timeout: seconds }).catch(() => undefined);
  const close = () => (client as unknown as Closing).close().catch(() => undefined);
  const closing = setInterval(close, CLOSE_MS).unref();
  setTimeout(() => clearInterval(closing), 2 * (seconds * 1000 + CLOSE_MS)).unref();
}
