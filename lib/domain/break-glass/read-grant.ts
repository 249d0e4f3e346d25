import { sql } from 'drizzle-orm';
import { db } from '#lib/infra/db/client.ts';
import type { BreakGlassRow } from '#lib/infra/db/schema/access/break-glass.ts';
import { toTextArray } from '#lib/infra/db/text-array.ts';
import { GLASS_TAG } from '#lib/protocol/audit/break-glass.ts';
import type { GrantDetail, GrantUse } from '#lib/protocol/break-glass/answers.ts';
import { type Ctx, requireProjectAdmin } from '../access/context.ts';
import { findGrant, toGrants } from './grant-rows.ts';

/** Lines of the log that are counted. */
const MOST = 10_000;
const READS = ['resource.read', 'resource.search'];
const CHANGES = ['resource.create', 'resource.update', 'resource.delete', 'resource.restore', 'bot.execute'];
const MISSES = ['break-glass.miss'];
const ACTIONS = [...READS, ...CHANGES, ...MISSES];

/** One grant, with what was done under it. For administrators. Throws 404. */
export async function readGrant(ctx: Ctx, projectId: string, grantId: string): Promise<GrantDetail> {
  const actor = requireProjectAdmin(ctx, projectId);
  const row = await findGrant(projectId, grantId);
  const [[told], use] = await Promise.all([toGrants(actor, projectId, [row]), findUse(projectId, row)]);
  return { ...told!, ...use };
}

type Counted = { type: string; action: string; count: number };

/** By the index of who did what when: what is looked at grows with what one person did in an hour. */
async function findUse(
  projectId: string,
  { id, profileRef, openedAt, endsAt }: BreakGlassRow,
): Promise<{ use: GrantUse[]; more: boolean }> {
  const rows = await db().execute<Counted>(sql`
    select split_part(s.target, '/', 1) as type, s.action, count(*)::int as count from (
      select e.target, e.action from unnest(${toTextArray(ACTIONS)}::text[]) as a(action)
      cross join lateral (
        select e.target, e.action from audit_event e
        where e.project_id = ${projectId} and e.actor = ${profileRef} and e.action collate "C" = a.action
          and e.at >= ${openedAt.toISOString()}::timestamptz and e.at <= ${endsAt.toISOString()}::timestamptz + interval '1 minute'
          and e.after->>${GLASS_TAG} = ${id}
        order by e.at desc limit ${MOST}) as e
      limit ${MOST}) as s
    group by 1, 2`);
  const total = rows.reduce((sum, { count }) => sum + count, 0);
  const use = [...Map.groupBy(rows, ({ type }) => type)].map(([type, of]): GrantUse => {
    const sum = (names: readonly string[]) =>
      of.filter(({ action }) => names.includes(action)).reduce((all, { count }) => all + count, 0);
    return { type, read: sum(READS), changed: sum(CHANGES), failed: sum(MISSES) };
  });
  return { use: use.sort((one, other) => (one.type < other.type ? -1 : 1)), more: total >= MOST };
}
