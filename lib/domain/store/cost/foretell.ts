import { type SQL, sql } from 'drizzle-orm';
import { AppError } from '#lib/base/errors.ts';
import { type Queryable, runSql, transaction } from '#lib/infra/db/client.ts';
import { isTooSlow } from '#lib/infra/db/errors.ts';
import { STATEMENT_LIMIT_MS } from '#lib/infra/db/pool/pool-settings.ts';
import { inProject, ofType } from '../planner/in-project.ts';
import { estimateRows } from './estimate-rows.ts';

// What no index leads to is asked of each row, and some of that is dear: what another resource is to which the row refers, and so on. How dear,
// PostgreSQL's own estimate does not tell: it takes half of all rows to fit. So some rows are asked, and what they take is measured.

/** What is dear of a search: parameters by their names, and the types that are asked for them. */
export type Dear = { names: readonly string[]; types: readonly string[]; isNested: boolean };

/**
 * `rows`, and `nested` of links over links: where each type that is asked has fewer, nothing is measured. `mostMs`: what all rows may seem to take,
 * which is twice what a statement is given, so that nothing is refused that might end in time. `samples`: rows that are asked, and more of them
 * before it is believed; `sampleMs`: for so long at most. `brieflyMs`: for a page, which may be full soon. A test lowers them.
 */
export const foretelling = {
  rows: 300_000,
  nested: 20_000,
  mostMs: 2 * STATEMENT_LIMIT_MS,
  samples: [200, 1000],
  sampleMs: 3000,
  brieflyMs: STATEMENT_LIMIT_MS / 3,
};

type Asked = { projectId: string; type: string; where: SQL; also?: SQL; dear: Dear };

/** Whether to ask it of all rows would take too long, as far as that can be told. Without a statement while the project is small. */
export async function isTooDear(q: Queryable, asked: Asked): Promise<boolean> {
  const { projectId, type, dear } = asked;
  const sizes = await Promise.all([type, ...dear.types].map((each) => estimateRows(q, projectId, each)));
  const bound = dear.isNested ? foretelling.nested : foretelling.rows;
  if (sizes.every((size) => size < bound) || running >= MOST_AT_ONCE) return false;
  for (const sample of foretelling.samples) {
    const each = await measure(asked, sample);
    if (each * (sizes[0] ?? 0) <= foretelling.mostMs) return false;
    if (!(await hasMore(q, asked, Math.floor(foretelling.mostMs / each)))) return false;
  }
  return true;
}

/** Whether there are more rows, whatever the planner thinks. To look costs next to nothing of what it would cost to ask so many. */
async function hasMore(q: Queryable, { projectId, type }: Asked, rows: number): Promise<boolean> {
  const most = Math.max(0, rows);
  const [found] = await runSql<{ count: number }>(
    q,
    sql`select count(*)::int as count from (select from ${live(projectId, type)} limit ${most + 1}) few`,
  );
  return (found?.count ?? 0) > rows;
}

function live(projectId: string, type: string): SQL {
  return sql`resource r where ${inProject(projectId, false)} and ${ofType(type)} and not r.deleted`;
}

/** Throws what a search is told that is refused before it runs, or soon after. */
export function refuseDear({ names }: Dear, isWhole: boolean): never {
  const all = isWhole ? ', and ask for no total and no order that takes all of them' : '';
  const few = 'name a patient, an identifier, a code or what else few have';
  const text = `${names.join(' and ')} would be asked of too many resources one by one: ${few}${all}`;
  throw new AppError('too-costly', text, { issues: names.map((expression) => ({ text, expression })) });
}

/** A page that may be full soon, though all would take too long: it gets a third of the time, and is refused then. */
export async function briefly<T>(dear: Dear, q: Queryable, run: (q: Queryable) => Promise<T>): Promise<T> {
  if (running >= MOST_AT_ONCE) return run(q);
  try {
    return await within(foretelling.brieflyMs, run);
  } catch (error) {
    if (isTooSlow(error)) refuseDear(dear, false);
    throw error;
  }
}

/** Of all times: a type's resources may be loaded at once, and the newest not be like the others. */
const SPREAD = 8;

/** Milliseconds that it takes PostgreSQL to ask one row, as some of them tell; the time to plan it is among them. */
async function measure({ projectId, type, where, also }: Asked, sample: number): Promise<number> {
  const rows = live(projectId, type);
  const each = Math.ceil(sample / SPREAD);
  const spread = sql`(select min(r.last_updated) as least, max(r.last_updated) as most from ${rows}) ends,
    generate_series(1, ${SPREAD}::int) n(at), lateral (select * from ${rows}
      and r.last_updated <= ends.least + (ends.most - ends.least) * (n.at::float8 / ${SPREAD}) order by r.last_updated desc, r.id limit ${each}) r`;
  const counted = sql`count(*) as found${also ? sql`, count(${also}) as told` : sql``}`;
  const asked = sql`select ${counted} from (select r.* from ${spread} offset 0) r where ${where}`;
  // What is counted first is done before the clock is read.
  const took = sql`case when s.found >= 0 then extract(epoch from clock_timestamp() - statement_timestamp()) * 1000 end`;
  try {
    const [row] = await within(foretelling.sampleMs, (tx) => {
      return runSql<{ ms: number; looked: number }>(
        tx,
        sql`select (${took})::float8 as ms, (select count(*)::int from ${spread}) as looked from (${asked}) s`,
      );
    });
    return row ? row.ms / Math.max(1, row.looked) : 0;
  } catch (error) {
    if (isTooSlow(error)) return foretelling.sampleMs / sample;
    throw error;
  }
}

/** On connections that changes need: the others are held to the usual limit. */
const MOST_AT_ONCE = 2;
let running = 0;

/** With a plan for these very values, and a limit of its own. */
async function within<T>(ms: number, run: (q: Queryable) => Promise<T>): Promise<T> {
  running += 1;
  try {
    return await transaction(async (tx) => {
      const limit = sql`set_config('statement_timeout', ${String(ms)}, true)`;
      await runSql(tx, sql`select ${limit}, set_config('plan_cache_mode', 'force_custom_plan', true)`);
      return run(tx);
    });
  } finally {
    running -= 1;
  }
}
