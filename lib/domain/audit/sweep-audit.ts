import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { env } from '#lib/base/env.ts';
import { log } from '#lib/base/log.ts';
import { pace } from '#lib/base/pace.ts';
import { type Queryable, runText } from '#lib/infra/db/client.ts';
import { daysAgo, projectsIn } from '#lib/infra/db/sweep.ts';
import { toTextArray } from '#lib/infra/db/text-array.ts';
import { type Chain, lockChain } from './seal-rows.ts';
import { write } from './write.ts';

/** Pieces of the chain that are looked at in one step. */
const PIECES = 4;

/**
 * Nobody's rows go unless the settings say so; then from the beginning of their chain on, which is anchored where they end. That they went
 * stands in the log that they went from, with how many they were, and the anchor: so it is in the chain itself where that begins.
 */
export async function sweepAudit(stopped?: AbortSignal): Promise<void> {
  const { RETAIN_AUDIT_DAYS: days } = env();
  if (days === 'forever') return;
  // The beginning of a day: else each hour would drop a little and tell of it.
  const before = `${daysAgo(days).slice(0, 10)}T00:00:00.000Z`;
  let rows = 0;
  for await (const projectId of projectsIn('audit_event', stopped)) {
    for (let last = 1; last > 0 && !stopped?.aborted; rows += last) {
      last = await dropSome(projectId, before);
      if (last > 0) await pause(pace.sweepPauseMs);
    }
  }
  if (rows > 0) log.info({ table: 'audit_event', rows }, 'swept');
}

function dropSome(projectId: string, before: string): Promise<number> {
  return write({ requestId: 'sweep', remoteAddress: '', userAgent: '' }, async (w) => {
    const chain = await lockChain(w.tx, projectId);
    const over = await findOver(w.tx, projectId, chain, before);
    const last = over.at(-1);
    if (!last) {
      w.unchanged();
      return 0;
    }
    const start = { seq: Number(last.seq), hash: last.hash };
    const [gone] = await runText<{ rows: number }>(w.tx, SWEEP, [
      projectId,
      toTextArray(over.map(({ id }) => id)),
      start.seq,
    ]);
    await runText(w.tx, ANCHOR, [projectId, start.seq, start.hash]);
    const rows = gone?.rows ?? 0;
    w.audit({ projectId, action: 'audit.sweep', target: `Project/${projectId}`, after: { rows, before, start } });
    return rows;
  });
}

/** By its owner: the server itself may delete nothing from the log, and this nothing that is younger than six years (drizzle/0067_server_role.sql). */
const SWEEP = 'select sweep_audit_event($1::uuid, $2::uuid[], $3::bigint) as rows';
const ANCHOR = 'update audit_chain set start_seq = $2, start_hash = $3 where project_id = $1';

type Place = { seq: string; hash: string; id: string; at: string | null };

/** The first places of the chain, up to the last before which everything is over. One whose row is gone already is over with those around it. */
async function findOver(tx: Queryable, projectId: string, { startSeq }: Chain, before: string): Promise<Place[]> {
  const places = await tx.execute<Place>(sql`
    select s.first + u.n - 1 as seq, encode(substring(s.hashes from (u.n * 32 - 31)::int for 32), 'hex') as hash, u.id, e.at
    from (select * from audit_seal p where p.project_id = ${projectId} and p.last > ${startSeq}::bigint order by p.first limit ${PIECES}) as s
    cross join unnest(s.events) with ordinality as u(id, n)
    left join audit_event e on e.project_id = ${projectId} and e.id = u.id
    where s.first + u.n - 1 > ${startSeq}::bigint order by 1`);
  const until = new Date(before);
  const young = places.findIndex(({ at }) => at !== null && new Date(at) >= until);
  const over = young < 0 ? places : places.slice(0, young);
  return over.slice(0, over.findLastIndex(({ at }) => at !== null) + 1);
}
