import { sql } from 'drizzle-orm';
import { log } from '#lib/base/log.ts';
import { seal, sealedNow, unseal } from '../crypto/seal.ts';
import { db } from './client.ts';

/** By table: the column that holds sealed text, and the purpose it is sealed for. Each room says it of what it seals (`sealed.ts`). */
export type SealedColumns = Readonly<Record<string, { column: string; purpose: string }>>;

const BATCH = 200;

/**
 * Seals anew, under the AUTH_SECRET of today, whatever is sealed under an earlier one. What no secret opens stays as it is, and is told in
 * the log. Several instances may do it at once.
 */
export async function reseal(sealed: SealedColumns): Promise<void> {
  for (const [table, { column, purpose }] of Object.entries(sealed)) {
    const counts = { resealed: 0, lost: 0 };
    // A row that was changed has moved on, and needs nothing any more.
    for (let last = '(0,0)', rows = BATCH; rows === BATCH; ) {
      const found = await findOld(table, column, last);
      for (const { at, text } of found) counts[await resealOne(table, column, purpose, at, text)] += 1;
      rows = found.length;
      last = found.at(-1)?.at ?? last;
    }
    if (counts.resealed > 0) log.info({ table, rows: counts.resealed }, 'sealed under the new AUTH_SECRET');
    if (counts.lost > 0) log.error({ table, rows: counts.lost }, 'sealed under a secret that nobody has given');
  }
}

function findOld(table: string, column: string, after: string): Promise<{ at: string; text: string }[]> {
  const [from, text] = [sql.identifier(table), sql.identifier(column)];
  return db().execute(sql`
    select ctid::text as at, ${text} as text from ${from}
    where ctid > ${after}::tid and ${text} ~ '^v[12]\\.' and not starts_with(${text}, ${sealedNow()}) order by ctid limit ${BATCH}`);
}

async function resealOne(
  table: string,
  column: string,
  purpose: string,
  at: string,
  text: string,
): Promise<'resealed' | 'lost'> {
  let plain: string;
  try {
    plain = unseal(purpose, text);
  } catch {
    return 'lost';
  }
  const [into, cell] = [sql.identifier(table), sql.identifier(column)];
  // As it was read: whoever changed it meanwhile sealed it anew.
  await db().execute(
    sql`update ${into} set ${cell} = ${seal(purpose, plain)} where ctid = ${at}::tid and ${cell} = ${text}`,
  );
  return 'resealed';
}
