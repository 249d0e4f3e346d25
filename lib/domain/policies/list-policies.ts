import { sql } from 'drizzle-orm';
import { notFound } from '#lib/base/errors.ts';
import { isUuid } from '#lib/base/ids.ts';
import { db } from '#lib/infra/db/client.ts';
import type { AccessPoliciesQuery } from '#lib/protocol/access-policies/requests.ts';
import { sayPolicy } from '#lib/protocol/access-policies/say-policy.ts';
import { type AccessPolicyList, MOST_COUNTED } from '#lib/protocol/answers/access-policies.ts';
import { parseSearch } from '#lib/protocol/fhir/search/parse-search.ts';
import type { AccessPolicy, Project } from '#lib/protocol/fhir/types.ts';
import { type Ctx, requireProjectAdmin } from '../access/context.ts';
import { defaultPoliciesIn } from '../access/default-policies-in.ts';
import { reach } from '../access/policy.ts';
import { compileFilter, isSelective } from '../store/compile-filter.ts';
import { findRow } from '../store/find-row.ts';
import { inProject, ofType } from '../store/planner/in-project.ts';
import { toResource } from '../store/row.ts';
import { searchRows } from '../store/search-rows.ts';
import { gonePolicies } from './gone-policies.ts';

/** The project's access policies by name, with how many use each, and what is named that it does not have. For administrators whose scopes let them search both. */
export async function listPolicies(ctx: Ctx, projectId: string, query: AccessPoliciesQuery): Promise<AccessPolicyList> {
  const actor = requireProjectAdmin(ctx, projectId);
  if (!isUuid(projectId)) throw notFound();
  const seen = reach(actor, 'AccessPolicy', 'search');
  reach(actor, 'ProjectMembership', 'search');
  const params: [string, string][] = [
    ['_sort', 'name'],
    ['_total', 'accurate'],
    ['_count', String(query._count)],
    ['_offset', String(query._offset)],
  ];
  if (query.name) params.push(['name:contains', query.name.replace(/[\\,|$]/g, '\\$&')]);
  const { rows, total = 0 } = await searchRows(projectId, parseSearch('AccessPolicy', params, projectId), seen);
  const [counts, defaults, gone] = await Promise.all([
    countMembers(
      projectId,
      rows.map(({ id }) => id),
    ),
    defaultsOf(projectId),
    gonePolicies(projectId),
  ]);
  return {
    total,
    gone,
    rows: rows.map((row) => {
      const policy = toResource<AccessPolicy>(row);
      const { name, resource } = policy;
      return {
        id: row.id,
        name: name ?? null,
        gives: sayPolicy(policy),
        rules: resource?.length ?? 0,
        members: counts.get(row.id) ?? 0,
        isDefault: defaults.has(`AccessPolicy/${row.id}`),
        lastUpdated: row.lastUpdated.toISOString(),
      };
    }),
  };
}

/** By the index of what memberships name, and no further than is told. */
async function countMembers(projectId: string, ids: readonly string[]): Promise<Map<string, number>> {
  if (ids.length === 0) return new Map();
  const type = 'ProjectMembership';
  const counts = ids.map((id) => {
    const { filter } = parseSearch(type, [['access-policy', `AccessPolicy/${id}`]], projectId);
    const fits = compileFilter({ projectId, type, correlated: true }, filter);
    return sql`select ${id}::text as id, (select count(*)::int from (select 1 from resource r
      where ${inProject(projectId, isSelective(filter))} and ${ofType(type)} and not r.deleted and ${fits} limit ${MOST_COUNTED + 1}) as named) as members`;
  });
  const rows = await db().execute<{ id: string; members: number }>(sql.join(counts, sql` union all `));
  return new Map(rows.map(({ id, members }) => [id, members]));
}

async function defaultsOf(projectId: string): Promise<Set<string>> {
  const row = await findRow(projectId, 'Project', projectId);
  if (!row || row.deleted) return new Set();
  return new Set(defaultPoliciesIn(toResource<Project>(row)).map(({ reference }) => reference));
}
