import { type SQL, sql } from 'drizzle-orm';
import { notFound } from '#lib/base/errors.ts';
import { isUuid } from '#lib/base/ids.ts';
import { db } from '#lib/infra/db/client.ts';
import type { AccessPoliciesQuery } from '#lib/protocol/access-policies/requests.ts';
import { sayPolicy } from '#lib/protocol/access-policies/say-policy.ts';
import { type AccessPolicyList, MOST_COUNTED } from '#lib/protocol/answers/access-policies.ts';
import { and, type Expr, not } from '#lib/protocol/fhir/search/ir.ts';
import { parseSearch } from '#lib/protocol/fhir/search/parse-search.ts';
import type { AccessPolicy, Project } from '#lib/protocol/fhir/types.ts';
import { type Ctx, requireProjectAdmin } from '../access/context.ts';
import { defaultPoliciesIn } from '../access/default-policies-in.ts';
import { basesOf } from '../access/lineage.ts';
import { reach } from '../access/policy.ts';
import { named, resolveNames } from '../audit/resolve-names.ts';
import { compileFilter, isSelective } from '../store/compile-filter.ts';
import { findRow } from '../store/find-row.ts';
import { inProject, ofType } from '../store/planner/in-project.ts';
import { findDependentsOf } from '../store/policies/find-dependents.ts';
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
  const references = rows.map(({ id }) => `AccessPolicy/${id}`);
  const [dependents, defaults, gone] = await Promise.all([
    findDependentsOf(projectId, references),
    defaultsOf(projectId),
    gonePolicies(projectId),
  ]);
  const through = new Map([...dependents].map(([name, { steps }]) => [name, [...steps.keys()]]));
  const policies = rows.map((row) => toResource<AccessPolicy>(row));
  const [counts, names] = await Promise.all([
    countMembers(projectId, through),
    resolveNames(projectId, policies.flatMap(basesOf)),
  ]);
  return {
    total,
    gone,
    rows: rows.map((row, at) => {
      const policy = policies[at]!;
      const { name, resource } = policy;
      const reference = `AccessPolicy/${row.id}`;
      return {
        id: row.id,
        name: name ?? null,
        gives: sayPolicy(policy),
        rules: resource?.length ?? 0,
        ...(counts.get(reference) ?? { members: 0, through: 0 }),
        basedOn: basesOf(policy).map((base) => named(names, base) ?? { reference: base, display: null }),
        policies: through.get(reference)?.length ?? 0,
        isDefault: defaults.has(`AccessPolicy/${row.id}`),
        lastUpdated: row.lastUpdated.toISOString(),
      };
    }),
  };
}

type Counts = { members: number; through: number };

/** By the index of what memberships name, and no further than is told: those that name it, and those that name what is based on it and not itself. */
async function countMembers(
  projectId: string,
  policies: ReadonlyMap<string, readonly string[]>,
): Promise<Map<string, Counts>> {
  if (policies.size === 0) return new Map();
  const counts = [...policies].map(([name, others]) => {
    const named = sql`(${howMany(projectId, filterOf(projectId, [name]))})`;
    const through = others.length === 0 ? sql`0` : sql`(${howMany(projectId, throughOf(projectId, name, others))})`;
    return sql`select ${name}::text as name, ${named} as members, ${through} as through`;
  });
  const rows = await db().execute<Counts & { name: string }>(sql.join(counts, sql` union all `));
  return new Map(rows.map(({ name, ...each }) => [name, each]));
}

function throughOf(projectId: string, name: string, others: readonly string[]): Expr {
  return and([filterOf(projectId, others), not(filterOf(projectId, [name]))]);
}

function filterOf(projectId: string, policies: readonly string[]): Expr {
  return parseSearch('ProjectMembership', [['access-policy', policies.join(',')]], projectId).filter;
}

function howMany(projectId: string, filter: Expr): SQL {
  const type = 'ProjectMembership';
  const fits = compileFilter({ projectId, type, correlated: true }, filter);
  return sql`select count(*)::int from (select 1 from resource r
    where ${inProject(projectId, isSelective(filter))} and ${ofType(type)} and not r.deleted and ${fits} limit ${MOST_COUNTED + 1}) as named`;
}

async function defaultsOf(projectId: string): Promise<Set<string>> {
  const row = await findRow(projectId, 'Project', projectId);
  if (!row || row.deleted) return new Set();
  return new Set(defaultPoliciesIn(toResource<Project>(row)).map(({ reference }) => reference));
}
