import { toCsv } from '#lib/protocol/csv.ts';
import { findMembers, type MemberSearch, toMemberFilter } from './members.ts';
import type { ProjectMembership } from './types.ts';

const PAGE = 1000;
const HEADER = ['name', 'email', 'type', 'role', 'policies', 'scope', 'status', 'changed', 'membership'];

/** Everyone in the view, page after page, as CSV. `nameOf` gives a policy its name. */
export async function exportMembers(search: MemberSearch, nameOf: (reference: string) => string): Promise<string> {
  const rows: (string | undefined)[][] = [];
  for (let offset = 0, total = 1; offset < total; offset += PAGE) {
    const query = `${toMemberFilter(search)}&_sort=${search.sort}&_count=${PAGE}&_offset=${offset}&_total=accurate&_include=ProjectMembership:user`;
    const page = await findMembers(query);
    total = page.total;
    rows.push(...page.members.map((member) => toRow(member, page.localUsers, nameOf)));
  }
  return toCsv(HEADER, rows);
}

function toRow(
  { id, meta, user, profile, admin, active, accessPolicy, access = [] }: ProjectMembership,
  localUsers: Set<string>,
  nameOf: (reference: string) => string,
): (string | undefined)[] {
  const person = user.reference?.startsWith('User/') ?? false;
  const policies = [accessPolicy, ...access.map(({ policy }) => policy)].flatMap((policy) => policy?.reference ?? []);
  return [
    profile.display ?? user.display,
    person ? user.display : undefined,
    profile.reference?.split('/')[0],
    admin ? 'admin' : 'member',
    policies.map(nameOf).join('; '),
    person ? (localUsers.has(user.reference ?? '') ? 'project' : 'server') : undefined,
    active === false ? 'deactivated' : 'active',
    meta?.lastUpdated,
    id,
  ];
}
