import { sql } from 'drizzle-orm';
import { AppError } from '#lib/base/errors.ts';
import { type Attribute, parseFilter, toAttribute } from '#lib/protocol/scim/filter.ts';
import type { ScimGroup } from '#lib/protocol/scim/group.ts';
import type { ListQuery } from '#lib/protocol/scim/list-query.ts';
import { isShown } from '#lib/protocol/scim/select-attributes.ts';
import { type Ctx, requireActor, requireProjectAdmin } from '../access/context.ts';
import { type Columns, compileFilter, compileSort } from '../scim/compile-filter.ts';
import { type AskedGroups, countGroups, findGroups, requireGroup } from './group-rows.ts';
import { toGroup } from './to-group.ts';

/** Of all groups of a page. Who wants more takes smaller pages, or none of the members. */
const MOST_LISTED = 50_000;

/**
 * The groups of the directory that calls, or all of the project for who calls otherwise (RFC 7644 §3.4.2), and how many. Throws 403, 400 for a
 * filter that is not understood, and 400 tooMany for more members than one answer holds.
 */
export async function listGroups(ctx: Ctx, query: ListQuery): Promise<{ total: number; groups: ScimGroup[] }> {
  const { projectId, scim } = requireProjectAdmin(ctx, requireActor(ctx).projectId);
  const { filter: text, startIndex, count, sortBy, sortOrder } = query;
  const filter = text === undefined || text.trim() === '' ? undefined : parseFilter(text, 'Group');
  const columns = columnsOf(projectId);
  const asked: AskedGroups = {
    projectId,
    connectionId: scim?.connectionId,
    ...(filter && { where: compileFilter(filter, columns) }),
  };
  const order = sortBy === undefined ? undefined : toOrder(sortBy, sortOrder, columns);
  const offset = startIndex - 1;
  const found = count > 0 ? await findGroups(asked, { order, count, offset }) : [];
  const isLast = found.length < count && (found.length > 0 || offset === 0);
  const total = isLast ? offset + found.length : await countGroups(asked);
  if (!isShown(query, 'members') || found.length === 0) return { total, groups: found.map(toGroup) };
  if (found.reduce((sum, { size }) => sum + size, 0) > MOST_LISTED) {
    throw new AppError(
      'too-costly',
      'These groups have too many members for one page: ask for fewer groups, or excludedAttributes=members',
      {
        expression: 'count',
      },
    );
  }
  const whole = await findGroups({ ...asked, withMembers: true }, { order, count, offset });
  return { total, groups: whole.map(toGroup) };
}

/** Throws 403, and 404 for a group that is not there, or another directory's. */
export async function readGroup(ctx: Ctx, id: string, withMembers: boolean): Promise<ScimGroup> {
  const actor = requireProjectAdmin(ctx, requireActor(ctx).projectId);
  return toGroup(await requireGroup(actor, id, withMembers));
}

function columnsOf(projectId: string): Columns {
  return {
    scalarOf: (attribute) => SCALARS[attribute],
    someOf: (_list, condition) => sql`exists (select from scim_group_member t
      join membership_key k on k.project_id = ${projectId} and k.membership_id = t.membership_id
      where t.project_id = ${projectId} and t.group_id = u.id and ${condition})`,
    partOf: () => sql`t.membership_id::text`,
  };
}

const SCALARS: Partial<Record<Attribute, ReturnType<typeof sql>>> = {
  id: sql`u.id::text`,
  externalId: sql`u.external_id`,
  displayName: sql`u.display_name`,
  'meta.lastModified': sql`u.updated_at`,
};

function toOrder(sortBy: string, sortOrder: ListQuery['sortOrder'], columns: Columns) {
  const attribute = toAttribute(sortBy, 'Group');
  if (!attribute || attribute === 'members.value') {
    throw new AppError('invalid', 'There is no order by this attribute', { expression: 'sortBy' });
  }
  const by = compileSort(attribute, columns);
  // RFC 7644 §3.4.2.3: without a value last, or first the other way round.
  return sortOrder === 'descending' ? sql`${by} desc nulls first` : sql`${by} asc nulls last`;
}
