import type { AccessEntry, ProjectMembership } from '#lib/protocol/fhir/types.ts';
import { entryName } from '../access/entry-name.ts';

/** What the groups of one connection give to a member. */
export type Wanted = { connectionId: string; access: AccessEntry[]; admin: boolean };
/** What stands on the membership only because they gave it: names of entries. */
export type Given = { connectionId: string; access: string[]; admin: boolean };

type Rights = Pick<ProjectMembership, 'access' | 'admin'>;
export type Combined = { access: AccessEntry[]; admin: boolean; given: Given[] };

/**
 * What a member has by hand, with what groups give now in the place of what they gave before. `floor` is an entry that gives nothing: a
 * membership without any policy reaches everything, so who loses the last entry that a group gave keeps that one. For the same reason
 * groups add none to an administrator who has no policy at all, unless the project requires one.
 */
export function combine(
  membership: Rights & Pick<ProjectMembership, 'accessPolicy'>,
  wanted: readonly Wanted[],
  before: readonly Given[],
  { floor, requiresPolicy }: { floor: AccessEntry; requiresPolicy: boolean },
): Combined {
  const { access = [], accessPolicy } = membership;
  const known = new Set(before.flatMap((given) => given.access));
  const byHand = access.filter((entry) => !known.has(entryName(entry)));
  const isAdmin = membership.admin === true && !before.some((given) => given.admin);
  const isBareByHand = accessPolicy === undefined && byHand.length === 0;
  const isOpen = isBareByHand && access.length === 0 && !requiresPolicy;
  const hand = new Set(byHand.map(entryName));
  const entriesOf = (one: Wanted) =>
    isAdmin && isOpen ? [] : one.access.filter((entry) => !hand.has(entryName(entry)));
  const added = distinct(wanted.flatMap(entriesOf));
  const isBare = isBareByHand && added.length === 0 && access.length > 0;
  const named = (connectionId: string): Given => {
    const one = wanted.find((each) => each.connectionId === connectionId);
    return {
      connectionId,
      access: [...new Set([...(one ? entriesOf(one).map(entryName) : []), ...(isBare ? [entryName(floor)] : [])])],
      admin: one?.admin === true && !isAdmin,
    };
  };
  const connections = new Set([...before, ...wanted].map(({ connectionId }) => connectionId));
  return {
    access: [...byHand, ...(isBare ? [floor] : added)],
    admin: isAdmin || wanted.some((one) => one.admin),
    given: [...connections].map(named).filter(({ access: names, admin }) => names.length > 0 || admin),
  };
}

/** Each once. */
export function distinct(entries: readonly AccessEntry[]): AccessEntry[] {
  return [...new Map(entries.map((entry) => [entryName(entry), entry])).values()];
}
