import type { MemberFact } from '#lib/protocol/answers/member-facts.ts';
import { MEMBER_STATUS_WORDS } from '#lib/protocol/answers/member-status.ts';
import { toCsv } from '#lib/protocol/to-csv.ts';
import type { Member } from '../api/types.ts';
import { findMemberFacts, MOST_FACTS } from './facts.ts';
import { findMembers, type MemberPage, type MemberSearch, toMemberFilter } from './members.ts';
import { tellFactors } from './tell-factors.ts';

const PAGE = 1000;
const HEADER = [
  'name',
  'email',
  'type',
  'role',
  'policies',
  'scope',
  'status',
  'second factor',
  'joined',
  'last active',
  'changed',
  'membership',
];

/** Everyone in the view, page after page, as CSV. `nameOf` gives a policy its name. */
export async function exportMembers(
  projectId: string,
  search: MemberSearch,
  nameOf: (reference: string) => string,
): Promise<string> {
  const rows: (string | undefined)[][] = [];
  let query: string | undefined =
    `${toMemberFilter(search)}&_sort=${search.sort}&_count=${PAGE}&_include=ProjectMembership:user`;
  while (query) {
    const page: MemberPage = await findMembers(query);
    query = page.next;
    const facts = await findAllFacts(projectId, page.members);
    rows.push(...page.members.map((member) => toRow(member, page.localUsers, facts.get(member.id), nameOf)));
  }
  return toCsv(HEADER, rows);
}

/** One request for every 200 rows. */
async function findAllFacts(projectId: string, members: Member[]): Promise<Map<string, MemberFact>> {
  const all = new Map<string, MemberFact>();
  for (let at = 0; at < members.length; at += MOST_FACTS) {
    const ids = members.slice(at, at + MOST_FACTS).map(({ id }) => id);
    for (const [id, fact] of await findMemberFacts(projectId, ids)) all.set(id, fact);
  }
  return all;
}

function toRow(
  { id, meta, user, profile, admin, accessPolicy, access = [] }: Member,
  localUsers: Set<string>,
  fact: MemberFact | undefined,
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
    fact && MEMBER_STATUS_WORDS[fact.status],
    person && fact ? tellFactors(fact) : undefined,
    fact?.joinedAt ?? undefined,
    fact?.lastActiveAt ?? undefined,
    meta?.lastUpdated,
    id,
  ];
}
