import { type SQL, sql } from 'drizzle-orm';
import type { Queryable } from '#lib/infra/db/client.ts';
import { toInstant } from '#lib/infra/db/to-instant.ts';
import type { ProjectRunsQuery } from '#lib/protocol/bots/runs/run-requests.ts';
import type { Cursor } from '#lib/protocol/cursor.ts';
import { settleRuns } from '../runs/record/record-run.ts';
import { RUN_COLUMNS, type RunRow } from './run-rows.ts';

export type RunFilter = Omit<ProjectRunsQuery, '_count'> & { requestId?: string };

export type FoundRuns = {
  rows: RunRow[];
  /** The last that was looked at: undefined at the end. */
  last: Cursor | undefined;
  lookedTo: string | undefined;
};

/** Runs that are looked at for one page, where the filter asks what no index has; and of their inputs, which are unpacked for it. */
const MOST_LOOKED_AT = 5000;
const MOST_READ = 300;

/**
 * Newest first. By bot, by status, by time, by fingerprint and by what is a replay of another an index tells; everything else is looked for among so many of these, newest first, and
 * `last` says where the next page goes on: what a page costs does not grow with how rare that is.
 */
export async function findRuns(q: Queryable, projectId: string, filter: RunFilter, count: number): Promise<FoundRuns> {
  const { version, trigger, text, requestId } = filter;
  const isPlain = [version, trigger, text, requestId].every((item) => item === undefined);
  const most = text !== undefined ? MOST_READ : isPlain ? count : MOST_LOOKED_AT;
  const holds = text === undefined ? sql`true` : sql`position(lower(${text}) in lower(coalesce(input, ''))) > 0`;
  await settleRuns(projectId);
  const found = await q.execute<
    { looked: number; last_at: string | null; last_id: string | null } & Nullable<RunRow>
  >(sql`
    with looked as materialized (
      select ${RUN_COLUMNS},
        (${version ?? null}::int is null or version = ${version ?? null}::int)
        and (${trigger ?? null}::text is null or trigger = ${trigger ?? null}::text)
        and (${requestId ?? null}::text is null or request_id = ${requestId ?? null}::text)
        and ${holds} as hit
      from bot_run where ${indexed(projectId, filter)}
      order by started_at desc nulls last, id limit ${most + 1}),
    page as (select * from looked order by started_at desc, id limit ${most})
    select s.looked, s.last_at, s.last_id, l.* from (
      select (select count(*)::int from looked) as looked, (array_agg(started_at order by started_at, id desc))[1] as last_at,
        (array_agg(id order by started_at, id desc))[1] as last_id from page) as s
    left join lateral (
      select ${RUN_COLUMNS} from page where hit order by started_at desc, id limit ${count + 1}) as l on true
    order by l.started_at desc, l.id`);
  const [first] = found;
  const hits = found.filter((row): row is typeof row & RunRow => row.id !== null);
  const rows = hits.slice(0, count);
  const end = hits.length > count ? { at: rows.at(-1)!.started_at, id: rows.at(-1)!.id } : undefined;
  const looked = first?.last_at && first.last_id ? { at: first.last_at, id: first.last_id } : undefined;
  const last = end ?? (first && first.looked > most ? looked : undefined);
  const lookedTo = end ?? looked;
  return {
    rows,
    last: last && { at: new Date(toInstant(last.at)), id: last.id },
    lookedTo: lookedTo && toInstant(lookedTo.at),
  };
}

type Nullable<T> = { [K in keyof T]: T[K] | null };

/** What an index answers. The state stands in the text: an index of failures alone is not used for a parameter. */
function indexed(projectId: string, { bot, status, fingerprint, replayOf, since, until, cursor }: RunFilter): SQL {
  const wanted = [
    sql`project_id = ${projectId}::uuid`,
    ...(bot ? [sql`bot_id = ${bot}::uuid`] : []),
    ...(status ? [status === 'failing' ? sql`status <> 'ok'` : sql.raw(`status = '${status}'`)] : []),
    ...(fingerprint ? [sql`fingerprint = ${fingerprint}`] : []),
    ...(replayOf ? [sql`replay_of = ${replayOf}::uuid`] : []),
    ...(since ? [sql`started_at >= ${since.toISOString()}::timestamptz`] : []),
    ...(until ? [sql`started_at <= ${until.toISOString()}::timestamptz`] : []),
    ...(cursor ? [after(cursor)] : []),
  ];
  return sql.join(wanted, sql` and `);
}

/** The first of these is what an index begins at. */
function after({ at, id }: Cursor): SQL {
  const time = at.toISOString();
  return sql`started_at <= ${time}::timestamptz and (started_at < ${time}::timestamptz or id > ${id}::uuid)`;
}
