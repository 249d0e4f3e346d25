import { type SQL, sql } from 'drizzle-orm';
import { log } from '#lib/base/log.ts';
import { seal, sealedNow, unseal } from '../crypto/seal.ts';
import { db, type Queryable, transaction } from './client.ts';
import { ofProject } from './server-role/of-project.ts';
import { isGuarded } from './server-role/privileges.ts';
import { projectsIn } from './sweep.ts';

/**
 * By table: its primary key, the column that holds sealed text, and the purpose it is sealed for. Each room says it of what it seals
 * (`sealed.ts`). A tenant's key begins with `project_id`.
 */
export type SealedColumns = Readonly<Record<string, Sealed>>;

type Sealed = { key: readonly [first: string, ...rest: string[]]; column: string; purpose: string };
type Found = { place: string[]; text: string };

const BATCH = 200;

/**
 * Seals anew, under the AUTH_SECRET of today, whatever is sealed under an earlier one. What no secret opens stays as it is, and is told in
 * the log. Several instances may do it at once.
 */
export async function reseal(sealed: SealedColumns): Promise<void> {
  for (const [table, of] of Object.entries(sealed)) {
    const counts = { resealed: 0, lost: 0 };
    for await (const projectId of isTenants(of) ? projectsIn(table) : ['']) {
      let after: string[] | undefined;
      do {
        const found = await within(table, projectId, (q) => findOld(q, { table, ...of }, projectId, after));
        for (const row of found)
          counts[await within(table, projectId, (q) => resealOne(q, { table, ...of }, row))] += 1;
        after = found.length === BATCH ? found.at(-1)!.place : undefined;
      } while (after);
    }
    if (counts.resealed > 0) log.info({ table, rows: counts.resealed }, 'sealed under the new AUTH_SECRET');
    if (counts.lost > 0) log.error({ table, rows: counts.lost }, 'sealed under a secret that nobody has given');
  }
}

function isTenants({ key }: Sealed): boolean {
  return key[0] === 'project_id';
}

function within<T>(table: string, projectId: string, work: (q: Queryable) => Promise<T>): Promise<T> {
  return isGuarded(table) ? transaction((tx) => ofProject(projectId, tx, work)) : work(db());
}

type Table = Sealed & { table: string };

async function findOld(
  q: Queryable,
  { table, ...of }: Table,
  projectId: string,
  after: string[] | undefined,
): Promise<Found[]> {
  const cell = sql.identifier(of.column);
  const own = isTenants(of) ? sql`project_id = ${projectId} and` : sql``;
  const later = after ? sql`(${columns(of)}) > (${values(after)}) and` : sql``;
  const texts = of.key.map((name) => sql`${sql.identifier(name)}::text`);
  return q.execute(sql`
    select array_to_json(array[${sql.join(texts, sql`, `)}]) as place, ${cell} as text from ${sql.identifier(table)}
    where ${own} ${later} ${cell} ~ '^v[12]\\.' and not starts_with(${cell}, ${sealedNow()}) order by ${columns(of)} limit ${BATCH}`);
}

async function resealOne(q: Queryable, { table, ...of }: Table, { place, text }: Found): Promise<'resealed' | 'lost'> {
  let plain: string;
  try {
    plain = unseal(of.purpose, text);
  } catch {
    return 'lost';
  }
  const [into, cell] = [sql.identifier(table), sql.identifier(of.column)];
  // As it was read: whoever changed it meanwhile sealed it anew.
  await q.execute(
    sql`update ${into} set ${cell} = ${seal(of.purpose, plain)} where (${columns(of)}) = (${values(place)}) and ${cell} = ${text}`,
  );
  return 'resealed';
}

function columns({ key }: Sealed): SQL {
  return sql.join(
    key.map((name) => sql.identifier(name)),
    sql`, `,
  );
}

function values(place: string[]): SQL {
  return sql.join(
    place.map((value) => sql`${value}`),
    sql`, `,
  );
}
