import { sql } from 'drizzle-orm';
import { notFound } from '#lib/base/errors.ts';
import { isUuid } from '#lib/base/ids.ts';
import { db } from '#lib/infra/db/client.ts';
import type { ChainLine } from '#lib/protocol/audit/chain.ts';
import { type Ctx, requireProjectAdmin } from '../access/context.ts';
import { CHAINED_COLUMNS, type RawRow, toChained } from '../audit/seal-rows.ts';
import { flushSeals } from '../audit/seal-soon.ts';
import { write } from '../audit/write.ts';
import { signHead } from './sign-head.ts';

/** Pieces of the chain at once, of 500 rows at most. */
const PIECES = 2;
const HEADS = 500;

/**
 * All of the chain up to now in the order of its numbers, a line of JSON each, and the heads that were signed of it, piece by piece as it is
 * read: what verify-chain.ts verifies. That somebody took it stands in the log first. For administrators.
 */
export async function exportChain(ctx: Ctx, projectId: string): Promise<AsyncGenerator<string>> {
  requireProjectAdmin(ctx, projectId);
  if (!isUuid(projectId)) throw notFound();
  await write(ctx, async (w) => {
    w.audit({ projectId, action: 'audit.export', target: `Project/${projectId}`, after: { format: 'chain' } });
  });
  await flushSeals();
  return linesOf(projectId);
}

/** Heads come first: who verifies knows then what each row must be, and keeps none. */
async function* linesOf(projectId: string): AsyncGenerator<string> {
  const head = await signHead(projectId);
  if (!head) return;
  for (let after = 0, isMore = true; isMore; ) {
    const rows = await findHeads(projectId, after, head.seq);
    yield toLines(rows.map(({ jws }) => ({ kind: 'head', jws })));
    isMore = rows.length === HEADS;
    after = Number(rows.at(-1)?.seq);
  }
  // As the chain stood when it began: what is sealed since is not under that head.
  for (let after = 0, isMore = true; isMore; ) {
    const places = await findPlaces(projectId, after, head.seq);
    yield toLines(places.map(toLine));
    isMore = places.length > 0;
    after = Number(places.at(-1)?.seq);
  }
}

function toLines(lines: ChainLine[]): string {
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}

type Place = { seq: string; hash: string; place: string } & { [K in keyof RawRow]: RawRow[K] | null };

function findPlaces(projectId: string, after: number, upTo: number): Promise<Place[]> {
  return db().execute<Place>(sql`
    select s.first + u.n - 1 as seq, encode(substring(s.hashes from (u.n * 32 - 31)::int for 32), 'hex') as hash, u.id as place, e.id, ${CHAINED_COLUMNS}
    from (select * from audit_seal p where p.project_id = ${projectId} and p.last > ${after}::bigint order by p.first limit ${PIECES}) as s
    cross join unnest(s.events) with ordinality as u(id, n)
    left join audit_event e on e.project_id = ${projectId} and e.id = u.id
    where s.first + u.n - 1 > ${after}::bigint and s.first + u.n - 1 <= ${upTo}::bigint
      and s.first + u.n - 1 > (select c.start_seq from audit_chain c where c.project_id = ${projectId})
    order by 1`);
}

function toLine({ seq, hash, place, ...row }: Place): ChainLine {
  const at = { seq: Number(seq), hash };
  return row.id === null ? { kind: 'gone', ...at, id: place } : { kind: 'row', ...at, ...toChained(row as RawRow) };
}

function findHeads(projectId: string, after: number, upTo: number): Promise<{ seq: string; jws: string }[]> {
  return db().execute(sql`
    select h.seq, h.jws from audit_head h where h.project_id = ${projectId} and h.seq > ${after}::bigint and h.seq <= ${upTo}::bigint
    order by h.seq limit ${HEADS}`);
}
