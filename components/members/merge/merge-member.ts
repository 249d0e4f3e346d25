import type { Member } from '#lib/client/api/types.ts';
import type { MemberChange } from '#lib/client/member/member.ts';

/** Two wishes for one member. */
export type MemberConflict = {
  /** The member as the reader saw it, and what the reader wanted of it. */
  base: Member;
  change: MemberChange;
  /** The member as somebody else left it. */
  theirs: Member;
};

/** What an administrator decides, as a reader thinks of it: the policies are one thing. */
export type MergeField = 'role' | 'status' | 'access';

const ELEMENTS: Record<MergeField, readonly (keyof MemberChange)[]> = {
  role: ['admin'],
  status: ['active'],
  access: ['accessPolicy', 'access'],
};
const FIELDS = Object.keys(ELEMENTS) as MergeField[];

/** Where two versions of a member differ in what an administrator decides. */
export function findDifferences(a: Member, b: Member): MergeField[] {
  return FIELDS.filter((field) => !isSame(field, a, b));
}

/** The fields that the reader changed, or that somebody else changed meanwhile, and where the two now differ. */
export function findConflicts(base: Member, change: MemberChange, theirs: Member): MergeField[] {
  const mine = { ...base, ...change };
  const fields = FIELDS.filter((field) => isTouched(field, change) || !isSame(field, base, theirs));
  return fields.filter((field) => !isSame(field, mine, theirs));
}

/** What the reader wanted stands already: somebody else made the same change, and maybe more. */
export function isAlreadySo(base: Member, change: MemberChange, theirs: Member): boolean {
  return !findConflicts(base, change, theirs).some((field) => isTouched(field, change));
}

export type MergePicks = Partial<Record<MergeField, 'yours' | 'theirs'>>;

/** Where nothing was picked, each keeps what they touched. */
export function pickOf(field: MergeField, change: MemberChange, picks: MergePicks): 'yours' | 'theirs' {
  return picks[field] ?? (isTouched(field, change) ? 'yours' : 'theirs');
}

/** What to change of `theirs` so that each field has the picked side. */
export function merge(
  base: Member,
  change: MemberChange,
  theirs: Member,
  fields: readonly MergeField[],
  picks: MergePicks,
): MemberChange {
  const mine = { ...base, ...change };
  const wanted = fields.filter((field) => pickOf(field, change, picks) === 'yours');
  const elements = wanted.flatMap((field) => ELEMENTS[field]).filter((key) => !isEqual(mine[key], theirs[key]));
  return Object.fromEntries(elements.map((key) => [key, mine[key]]));
}

/** A field's name, or its value on one side, in words. */
export function toWords(field: MergeField, member?: Member, names = new Map<string, string>()): string {
  if (!member) return { role: 'Role', status: 'Status', access: 'Access' }[field];
  if (field === 'role') return member.admin ? 'Admin' : 'Member';
  if (field === 'status') return member.active === false ? 'Deactivated' : 'Active';
  const policies = [member.accessPolicy, ...(member.access ?? []).map(({ policy }) => policy)];
  const words = policies.flatMap((policy) =>
    policy?.reference ? (names.get(policy.reference) ?? policy.display ?? policy.reference) : [],
  );
  return words.length > 0 ? words.join(', ') : 'No policy';
}

function isTouched(field: MergeField, change: MemberChange): boolean {
  return ELEMENTS[field].some((key) => key in change);
}

function isSame(field: MergeField, a: Member, b: Member): boolean {
  if (field === 'role') return (a.admin ?? false) === (b.admin ?? false);
  if (field === 'status') return (a.active ?? true) === (b.active ?? true);
  return ELEMENTS.access.every((key) => isEqual(a[key], b[key]));
}

/** By value: elements have no order, and a reference means whom it names, whatever display stands beside. */
function isEqual(a: unknown, b: unknown): boolean {
  return JSON.stringify(a, inOrder) === JSON.stringify(b, inOrder);
}

function inOrder(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const keys = Object.keys(value).filter((key) => !('reference' in value && key === 'display'));
  return Object.fromEntries(keys.sort().map((key) => [key, value[key as keyof typeof value]]));
}
