import postgres from 'postgres';
import { directAddress, forPostgres } from '../address.ts';
import { leave } from '../pool/leave.ts';
import type { Load } from '../pool/load.ts';
import { mendWhenAsked } from '../pool/mended-connections.ts';

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

/** As `closeDb` has it: nothing is on one that has broken. */
const LAST_SECONDS = 1;

type Kept = { client: postgres.Sql; asking: Pick<Load, 'onAsked'> };

/** The one of this process under this name, opened when it is first needed. Calls `lost` when it ends, unless it was closed before. */
export function keepSingle(name: string, lost: () => void): Single {
  let kept: Kept | undefined;
  return {
    open() {
      kept ??= openKept();
      kept.asking.onAsked?.();
      return kept.client;
    },
    current: () => kept?.client,
    async close() {
      const closing = kept?.client;
      kept = undefined;
      await closing?.end({ timeout: 1 });
    },
  };

  function openKept(): Kept {
    const client: postgres.Sql = openSingle(name, { onclose: () => client === kept?.client && lost() });
    const asking = {};
    // Without, what is asked as it ends is never answered, nor anything behind that.
    mendWhenAsked(client, asking, () => {
      if (client !== kept?.client) return;
      kept = undefined;
      leave(client, LAST_SECONDS);
      lost();
    });
    return { client, asking };
  }
}
