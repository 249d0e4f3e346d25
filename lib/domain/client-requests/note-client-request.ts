import { sql } from 'drizzle-orm';
import { log } from '#lib/base/log.ts';
import { db, runWrite } from '#lib/infra/db/client.ts';
import { clientTraffic } from '#lib/infra/db/schema/clients.ts';

/** So many of a client are kept of those that were answered, and as many of those that failed: a busy one does not push out its failures. */
export const KEPT_OF_EACH = 100;

const FLUSH_MS = 1000;
/** Clients that wait to be written: past this many the database is down, and what comes is not noted. */
const MOST_WAITING = 10_000;

export type Asked = { projectId: string; clientId: string };
type Entry = { at: Date; method: string; route: string; status: number; remote_address: string };
/** The last ones, and how many there were in all. */
type Kind = { count: number; last: Entry[] };
type Waiting = { of: Asked; done: Kind; failed: Kind };

let waiting = new Map<string, Waiting>();
let flushing: Promise<void> | undefined;

/**
 * Notes a request of a client, beside it: nobody waits for it, and those of a second are written at once, two statements a client however
 * many they were. `route` is a pattern, without what fills it.
 */
export function noteClientRequest(of: Asked, entry: Omit<Entry, 'at'>): void {
  const known = waiting.get(of.clientId) ?? begin(of);
  if (!known) return;
  const kind = entry.status < 400 ? known.done : known.failed;
  kind.count += 1;
  kind.last.push({ at: new Date(), ...entry });
  // In larger steps, so that a busy client does not move them all with each.
  if (kind.last.length >= 2 * KEPT_OF_EACH) kind.last.splice(0, KEPT_OF_EACH);
  flushing ??= flushSoon();
}

/** Resolves when every request noted so far is in the database, or given up. */
export async function flushClientRequests(): Promise<void> {
  while (flushing) await flushing;
}

function begin(of: Asked): Waiting | undefined {
  if (waiting.size >= MOST_WAITING) return undefined;
  const made = { of, done: { count: 0, last: [] }, failed: { count: 0, last: [] } };
  waiting.set(of.clientId, made);
  return made;
}

async function flushSoon(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, FLUSH_MS));
  const all = waiting;
  waiting = new Map();
  try {
    for (const each of all.values()) await store(each);
  } catch (err) {
    log.warn({ err }, 'requests of clients were not noted');
  } finally {
    flushing = waiting.size > 0 ? flushSoon() : undefined;
  }
}

const COLUMNS = ['slot', 'at', 'method', 'route', 'status', 'remote_address'];
/** One text, however many come at once. */
const INSERT = `
  insert into client_request (project_id, client_id, ${COLUMNS.join(', ')})
  select $1::uuid, $2::uuid, ${COLUMNS.join(', ')} from jsonb_populate_recordset(null::client_request, $3::text::jsonb)
  on conflict (project_id, client_id, slot) do update set
    ${COLUMNS.slice(1)
      .map((name) => `${name} = excluded.${name}`)
      .join(', ')}`;

async function store({ of: { projectId, clientId }, done, failed }: Waiting): Promise<void> {
  const [counted] = await db()
    .insert(clientTraffic)
    .values({ projectId, clientId, done: done.count, failed: failed.count })
    .onConflictDoUpdate({
      target: [clientTraffic.projectId, clientTraffic.clientId],
      set: {
        done: sql`${clientTraffic.done} + ${done.count}`,
        failed: sql`${clientTraffic.failed} + ${failed.count}`,
      },
    })
    .returning({ done: clientTraffic.done, failed: clientTraffic.failed });
  if (!counted) return;
  const rows = [...toRows(done, counted.done, 0), ...toRows(failed, counted.failed, KEPT_OF_EACH)];
  await runWrite(INSERT, [projectId, clientId, JSON.stringify(rows)]);
}

/** The slots of what came last; `total` counts them. */
function toRows({ last }: Kind, total: number, from: number) {
  const kept = last.slice(-KEPT_OF_EACH);
  const first = total - kept.length;
  return kept.map((entry, index) => ({ ...entry, slot: from + ((first + index) % KEPT_OF_EACH) }));
}
