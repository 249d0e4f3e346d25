import { sql } from 'drizzle-orm';
import { db } from '#lib/infra/db/client.ts';
import { hl7Feed } from '#lib/infra/db/schema/hl7.ts';
import type { FeedRow } from './require-feed.ts';

/** A feed as whoever listens knows it. */
export type Listened = Pick<
  FeedRow,
  'id' | 'projectId' | 'botId' | 'port' | 'tls' | 'certificate' | 'addresses' | 'answer' | 'active' | 'wokenAt'
>;

/** Of one feed since it was told last; `fault`: what went wrong last, undefined where nothing did. */
export type Heard = {
  id: string;
  isListening: boolean;
  connections: number;
  received: number;
  repeated: number;
  refused: number;
  fault?: string;
};

/** All feeds of the server: also those that are turned off, whose messages may wait. */
export function findListened(): Promise<Listened[]> {
  const { id, projectId, botId, port, tls, certificate, addresses, answer, active, wokenAt } = hl7Feed;
  return db()
    .select({ id, projectId, botId, port, tls, certificate, addresses, answer, active, wokenAt })
    .from(hl7Feed);
}

/** How they do, for whoever looks at them: the process that listens is not the one that is asked. */
export async function tellHeard(all: readonly Heard[]): Promise<void> {
  const rows = all.map(({ isListening, ...rest }) => ({ ...rest, is_listening: isListening }));
  await db().execute(sql`
    update hl7_feed f set connections = h.connections, received = f.received + h.received, repeated = f.repeated + h.repeated,
      refused = f.refused + h.refused, heard_at = case when h.is_listening then now() end,
      fault = coalesce(h.fault, f.fault), fault_at = case when h.fault is null then f.fault_at else now() end
    from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb)
      as h(id uuid, is_listening boolean, connections int, received bigint, repeated bigint, refused bigint, fault text)
    where f.id = h.id`);
}

/** Messages of it wait: whoever runs them looks within a second. */
export const WOKEN = { wokenAt: sql`now()` };
