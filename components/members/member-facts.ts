import type { ProjectMembership } from '#lib/client/types.ts';

export type MemberFacts = { name: string; email?: string; type: string; policies: string[] };

const TYPE_LABELS: Record<string, string> = { RelatedPerson: 'Related person', ClientApplication: 'Client' };

/** What a list shows of a membership: names before ids. */
export function toMemberFacts(member: ProjectMembership): MemberFacts {
  const type = member.profile.reference?.split('/')[0] ?? '';
  const email = member.user.reference?.startsWith('User/') ? member.user.display : undefined;
  const references = [member.accessPolicy, ...(member.access?.map((access) => access.policy) ?? [])].filter(
    (reference) => reference !== undefined,
  );
  return {
    name: member.profile.display ?? member.user.display ?? member.id,
    email: email === member.profile.display ? undefined : email,
    type: TYPE_LABELS[type] ?? type,
    policies: references.map((reference) => reference.display ?? reference.reference ?? 'Policy'),
  };
}
