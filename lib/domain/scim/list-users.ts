import { type SQL, sql } from 'drizzle-orm';
import { AppError } from '#lib/base/errors.ts';
import type { Filter } from '#lib/protocol/scim/filter.ts';
import { parseFilter, toAttribute } from '#lib/protocol/scim/filter.ts';
import type { ListQuery } from '#lib/protocol/scim/list-query.ts';
import type { ScimUser } from '#lib/protocol/scim/user.ts';
import { type Ctx, requireActor, requireProjectAdmin } from '../access/context.ts';
import { sumMembers } from '../standing/sum-members.ts';
import { compileFilter, compileSort } from './compile-filter.ts';
import { type Asked, countPeople, findPeople, namedLike } from './people.ts';
import { toUser } from './to-user.ts';

/** The people of the caller's project that match (RFC 7644 §3.4.2), and how many. Throws 403, and 400 for a filter that is not understood. */
export async function listUsers(ctx: Ctx, query: ListQuery): Promise<{ total: number; users: ScimUser[] }> {
  const actor = requireProjectAdmin(ctx, requireActor(ctx).projectId);
  const { projectId } = actor;
  const { filter: text, startIndex, count, sortBy, sortOrder } = query;
  const filter = text === undefined || text.trim() === '' ? undefined : parseFilter(text);
  const asked: Asked = {
    projectId,
    ...(filter && { where: compileFilter(filter), among: candidates(projectId, filter) }),
  };
  const offset = startIndex - 1;
  const order = sortBy === undefined ? undefined : toOrder(sortBy, sortOrder);
  const found = count > 0 ? await findPeople(asked, { order, count, offset }) : [];
  // A page that is not full tells by itself how many there are.
  const isLast = found.length < count && (found.length > 0 || offset === 0);
  const total = isLast ? offset + found.length : filter ? await countPeople(asked) : await countAll(projectId);
  return { total, users: found.map((person) => toUser(person, actor)) };
}

/** Before every change a directory looks for somebody by their name: that is found in an index. */
function candidates(projectId: string, filter: Filter): SQL | undefined {
  if (filter.op === 'and') {
    const [named] = filter.filters.flatMap((one) => candidates(projectId, one) ?? []);
    return named;
  }
  const isNamed = filter.op === 'eq' && (filter.attribute === 'userName' || filter.attribute === 'externalId');
  return isNamed ? namedLike(projectId, String(filter.value)) : undefined;
}

async function countAll(projectId: string): Promise<number> {
  const sums = await sumMembers(projectId);
  const people = sums.filter(({ profile_type: type }) => type !== 'Bot' && type !== 'ClientApplication');
  return people.reduce((sum, { n }) => sum + n, 0);
}

function toOrder(sortBy: string, sortOrder: ListQuery['sortOrder']) {
  const attribute = toAttribute(sortBy);
  if (!attribute || attribute.startsWith('emails') || attribute.startsWith('phoneNumbers')) {
    throw new AppError('invalid', 'There is no order by this attribute', { expression: 'sortBy' });
  }
  // RFC 7644 §3.4.2.3: without a value last, or first the other way round.
  const by = compileSort(attribute);
  return sortOrder === 'descending' ? sql`${by} desc nulls first` : sql`${by} asc nulls last`;
}
