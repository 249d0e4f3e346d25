import { createHash } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { type Queryable, runText, transaction } from '#lib/infra/db/client.ts';
import { auditChain } from '#lib/infra/db/schema/audit-chain.ts';
import { isAnyUuidOf, toTextArray } from '#lib/infra/db/text-array.ts';
import { type ChainedRow, linkText, NO_HASH } from '#lib/protocol/audit/chain.ts';

export type Chain = { seq: number; hash: string; startSeq: number; startHash: string; completeTo: string | null };

/** Rows of the log by their ids, at the end of the chain. `doubted`: some may be sealed already. */
export async function sealRows(projectId: string, ids: readonly string[], { doubted = false } = {}): Promise<void> {
  await transaction(async (tx) => {
    const chain = await lockChain(tx, projectId);
    const known = doubted ? await sealedOf(tx, projectId, chain, ids) : new Set<string>();
    const wanted = ids.filter((id) => !known.has(id));
    await seal(tx, projectId, chain, await loadRows(tx, projectId, wanted));
  });
}

/** Nobody else seals until the commit. Who writes to the log never asks for it. */
export async function lockChain(tx: Queryable, projectId: string): Promise<Chain> {
  const found = await findChain(tx, projectId);
  if (found) return found;
  await tx.insert(auditChain).values({ projectId, hash: NO_HASH, startHash: NO_HASH }).onConflictDoNothing();
  return (await findChain(tx, projectId))!;
}

async function findChain(tx: Queryable, projectId: string): Promise<Chain | undefined> {
  const [row] = await tx.execute<{
    seq: string;
    hash: string;
    start_seq: string;
    start_hash: string;
    complete_to: string | null;
  }>(
    sql`select seq, hash, start_seq, start_hash, complete_to from audit_chain where project_id = ${projectId} for update`,
  );
  if (!row) return undefined;
  const { hash, start_hash: startHash, complete_to: completeTo } = row;
  return { seq: Number(row.seq), hash, startSeq: Number(row.start_seq), startHash, completeTo };
}

/** So many of the last rows are looked through for those that are sealed already. */
const LOOKED_AT = 20_000;

async function sealedOf(
  tx: Queryable,
  projectId: string,
  { seq }: Chain,
  ids: readonly string[],
): Promise<Set<string>> {
  const rows = await tx.execute<{ id: string }>(sql`
    select u.id from audit_seal s cross join unnest(s.events) as u(id)
    where s.project_id = ${projectId} and s.first > ${seq - LOOKED_AT}::bigint and ${isAnyUuidOf(sql.raw('u.id'), ids)}`);
  return new Set(rows.map(({ id }) => id));
}

export type RawRow = {
  id: string;
  at: string;
  action: string;
  target: string;
  outcome: number;
  actor: string | null;
  actor_membership: string | null;
  login_id: string | null;
  on_behalf_of: string | null;
  request_id: string;
  remote_address: string | null;
  before: string | null;
  after: string | null;
};

/** Of a row `e` all that is hashed. */
export const CHAINED_COLUMNS = sql.raw(
  'e.at, e.action, e.target, e.outcome, e.actor, e.actor_membership, e.login_id, e.on_behalf_of, e.request_id, e.remote_address, e.before::text as before, e.after::text as after',
);

async function loadRows(tx: Queryable, projectId: string, ids: readonly string[]): Promise<RawRow[]> {
  if (ids.length === 0) return [];
  return tx.execute<RawRow>(sql`
    select e.id, ${CHAINED_COLUMNS} from audit_event e
    where e.project_id = ${projectId} and ${isAnyUuidOf(sql.raw('e.id'), ids)} order by e.at, e.id`);
}

export function toChained(raw: RawRow): ChainedRow {
  return {
    id: raw.id,
    at: new Date(raw.at).toISOString(),
    action: raw.action,
    target: raw.target,
    outcome: raw.outcome,
    actor: raw.actor,
    actorMembership: raw.actor_membership,
    loginId: raw.login_id,
    onBehalfOf: raw.on_behalf_of,
    requestId: raw.request_id,
    remoteAddress: raw.remote_address,
    before: raw.before,
    after: raw.after,
  };
}

/** The chain as it is then. */
async function seal(tx: Queryable, projectId: string, chain: Chain, rows: readonly RawRow[]): Promise<Chain> {
  if (rows.length === 0) return chain;
  let { seq, hash } = chain;
  const hashes: string[] = [];
  for (const row of rows.map(toChained)) {
    seq += 1;
    hash = createHash('sha256')
      .update(linkText(projectId, seq, row, hash))
      .digest('hex');
    hashes.push(hash);
  }
  const newest = rows.reduce((latest, { at }) => (new Date(at) > latest ? new Date(at) : latest), new Date(0));
  await runText(tx, INSERT, [
    projectId,
    chain.seq + 1,
    seq,
    toTextArray(rows.map(({ id }) => id)),
    Buffer.from(hashes.join(''), 'hex'),
    newest.toISOString(),
  ]);
  await runText(tx, 'update audit_chain set seq = $2, hash = $3 where project_id = $1', [projectId, seq, hash]);
  return { ...chain, seq, hash };
}

const INSERT =
  'insert into audit_seal (project_id, first, last, events, hashes, newest) values ($1, $2, $3, $4::uuid[], $5, $6::timestamptz)';

export type Place = { at: string; id: string };

/**
 * Looks at so many rows in the order of time, and seals those that nobody did. Goes on after a place; begins where it was seen last that
 * all are. Where the next ones begin; undefined at the end.
 */
export async function sealUnsealed(
  projectId: string,
  { after, until, most }: { after?: Place; until: string; most: number },
): Promise<Place | undefined> {
  return transaction(async (tx) => {
    const chain = await lockChain(tx, projectId);
    const from = after?.at ?? beginning(chain);
    const isAfter = after ? sql`and (e.at > ${from}::timestamptz or e.id < ${after.id}::uuid)` : sql``;
    // As the index has them, from its end on.
    const rows = await tx.execute<Place & { sealed: boolean }>(sql`
      with page as materialized (
        select e.id, e.at from audit_event e
        where e.project_id = ${projectId} and e.at >= ${from}::timestamptz and e.at < ${until}::timestamptz ${isAfter}
        order by e.at nulls first, e.id desc limit ${most})
      select p.id, p.at, k.id is not null as sealed from page p left join (
        select u.id from audit_seal s cross join unnest(s.events) as u(id)
        where s.project_id = ${projectId} and s.newest >= ${from}::timestamptz) as k on k.id = p.id
      order by p.at, p.id desc`);
    const missed = rows.filter(({ sealed }) => !sealed).map(({ id }) => id);
    let end = chain;
    for (let at = 0; at < missed.length; at += PIECE) {
      end = await seal(tx, projectId, end, await loadRows(tx, projectId, missed.slice(at, at + PIECE)));
    }
    const last = rows.length === most ? rows.at(-1) : undefined;
    await runText(tx, COMPLETE, [projectId, last ? new Date(last.at).toISOString() : until]);
    return last && { at: new Date(last.at).toISOString(), id: last.id };
  });
}

const PIECE = 500;
const COMPLETE = 'update audit_chain set complete_to = $2::timestamptz where project_id = $1';
/** So far back rows are looked for that came late, from a process that is gone. */
const LATE_MS = 2 * 3_600_000;

function beginning({ completeTo }: Chain): string {
  return completeTo === null ? '-infinity' : new Date(new Date(completeTo).getTime() - LATE_MS).toISOString();
}
