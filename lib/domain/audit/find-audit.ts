import { type SQL, sql } from 'drizzle-orm';
import { db } from '#lib/infra/db/client.ts';
import { toTextArray } from '#lib/infra/db/text-array.ts';
import type { AuditQuery } from '#lib/protocol/requests/audit.ts';

/** Which rows. `also`: what else must hold of a row `e`. */
export type AuditFilter = Omit<AuditQuery, '_count'> & { also?: SQL[] };

export type FoundAudit = {
  id: string;
  at: string;
  action: string;
  actor: string | null;
  actor_membership: string | null;
  target: string;
  outcome: number;
  on_behalf_of: string | null;
  before: unknown;
  after: unknown;
  request_id: string;
  remote_address: string | null;
};

const COLUMNS = sql.raw(
  'e.id, e.at, e.action, e.actor, e.actor_membership, e.target, e.outcome, e.on_behalf_of, e.before, e.after, e.request_id, e.remote_address',
);
/** As the indexes have it. */
const NEWEST_FIRST = sql.raw('e.at desc nulls last, e.id');

/** The newest `limit` that match. What is looked at grows with them, not with what was ever done in the project. */
export function findAudit(projectId: string, filter: AuditFilter, limit: number): Promise<FoundAudit[]> {
  const { actor, target, action } = filter;
  const byAction = !target && (actor !== undefined || action !== undefined);
  if (byAction) {
    const where = sql`e.project_id = ${projectId} ${actor ? sql`and e.actor = ${actor}` : sql``}`;
    return ofEachAction(where, sql`${where} ${sql.join(conditions(filter))}`, rangesOf(action), limit);
  }
  return db().execute<FoundAudit>(
    sql`select ${COLUMNS} from audit_event e where ${matching(projectId, filter)} order by ${NEWEST_FIRST} limit ${limit}`,
  );
}

/** How many match. Looks at each. */
export async function countAudit(projectId: string, filter: AuditFilter): Promise<number> {
  const [row] = await db().execute<{ count: string }>(
    sql`select count(*) from audit_event e where ${matching(projectId, filter)}`,
  );
  return Number(row?.count);
}

function matching(projectId: string, filter: AuditFilter): SQL {
  const { actor, action } = filter;
  const named = action ? sql`and exists (select from ${rangesOf(action)} where ${isWithin(sql.raw('p'))})` : sql``;
  const own = actor ? sql`and e.actor = ${actor}` : sql``;
  return sql`e.project_id = ${projectId} ${own} ${sql.join(conditions(filter))} ${named}`;
}

/** Action by action, since the index has each in the order of time. Which there are is found by skipping from one to the next. */
function ofEachAction(where: SQL, narrowed: SQL, ranges: SQL, limit: number): Promise<FoundAudit[]> {
  const first = (from: SQL) =>
    sql`(select ${NAME} from audit_event e where ${where} and ${from} order by ${NAME} limit 1)`;
  return db().execute<FoundAudit>(sql`
    with recursive known as (
      select p.low, p.high, ${first(isWithin(sql.raw('p')))} as action from ${ranges}
      union all
      select k.low, k.high, ${first(sql`${NAME} > k.action and ${NAME} < k.high`)} from known k where k.action is not null)
    select e.* from (select distinct action from known where action is not null) as k
    cross join lateral (
      select ${COLUMNS} from audit_event e where ${narrowed} and ${NAME} = k.action order by ${NEWEST_FIRST} limit ${limit}) as e
    order by ${NEWEST_FIRST} limit ${limit}`);
}

/** In the order of bytes, in which everything below a name stands together, whatever the database's own order is. */
const NAME = sql.raw('e.action collate "C"');

function isWithin(range: SQL): SQL {
  return sql`${NAME} >= ${range}.low and ${NAME} < ${range}.high`;
}

/** Names, and `name.*` for everything below one, as ranges `p`. What follows a name directly in the order of bytes has a space. */
function rangesOf(action = '*'): SQL {
  const ranges = action.split(',').map((name) => {
    if (name === '*') return ['', '~'] as const;
    return name.endsWith('.*')
      ? ([name.slice(0, -1), `${name.slice(0, -2)}/`] as const)
      : ([name, `${name} `] as const);
  });
  const [lows, highs] = [0, 1].map((at) => toTextArray(ranges.map((range) => range[at]!)));
  return sql`unnest(${lows}::text[], ${highs}::text[]) as p(low, high)`;
}

function conditions({ target, outcome, from, to, cursor, also = [] }: AuditFilter): SQL[] {
  return [
    ...also.map((each) => sql` and (${each})`),
    ...(target ? [sql` and (${sql.join(target.map(matchesTarget), sql.raw(' or '))})`] : []),
    ...(outcome ? [outcome === 'success' ? sql` and e.outcome = 0` : sql` and e.outcome <> 0`] : []),
    ...(from ? [sql` and e.at >= ${from.toISOString()}::timestamptz`] : []),
    ...(to ? [sql` and e.at < ${to.toISOString()}::timestamptz`] : []),
    ...(cursor ? [isAfter(cursor.at.toISOString(), cursor.id)] : []),
  ];
}

/** The first bound is the one that an index begins at. */
function isAfter(at: string, id: string): SQL {
  return sql` and e.at <= ${at}::timestamptz and (e.at < ${at}::timestamptz or e.id > ${id}::uuid)`;
}

/** A type as a target is that of a search. */
function matchesTarget(name: string): SQL {
  const same = sql`e.target = ${name}`;
  return name.includes('/') ? same : sql`${same} or e.target like ${`${name}/%`}`;
}
