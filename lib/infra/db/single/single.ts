import postgres from 'postgres';
import { directAddress, forPostgres } from '../address.ts';

/**
 * While the database is away. The driver's own pause grows to twenty seconds, for which what is asked hangs: no refusal, and nothing works
 * when the database is long back.
 */
export const RETRY_SECONDS = 0.5;

type Heard = { onclose?(): void; onnotify?(channel: string, message: string): void };

/** One connection beside the pools and past a pooler, for what lives and ends with it or may not wait for its turn: no idleness and no age closes it. */
export function openSingle(name: string, heard: Heard, address = directAddress()): postgres.Sql {
  return postgres({
    ...forPostgres(address),
    max: 1,
    idle_timeout: null,
    max_lifetime: null,
    fetch_types: false,
    // A lease that ended with its connection is let go of once more.
    onnotice: () => undefined,
    backoff: () => RETRY_SECONDS,
    connection: { TimeZone: 'UTC', application_name: nameOf(name) },
    ...heard,
  } as unknown as postgres.Options<never>);
}

/** As PostgreSQL knows a connection that was opened under `name`. */
export function nameOf(name: string): string {
  return `gatehouse-${name}`;
}

type Single = { open(): postgres.Sql; current(): postgres.Sql | undefined; close(): Promise<void> };

/** The one of this process under this name, opened when it is first needed. Calls `lost` when it ends, unless it was closed before. */
export function keepSingle(name: string, lost: () => void): Single {
  let client: postgres.Sql | undefined;
  return {
    open() {
      if (client) return client;
      const opened: postgres.Sql = openSingle(name, { onclose: () => opened === client && lost() });
      client = opened;
      return opened;
    },
    current: () => client,
    async close() {
      const closing = client;
      client = undefined;
      await closing?.end({ timeout: 1 });
    },
  };
}
