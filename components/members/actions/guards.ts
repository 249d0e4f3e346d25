import type { Member } from '#lib/client/api/types.ts';
import type { ProjectFacts } from '#lib/client/frame/project-facts.ts';

export type MemberAction = 'promote' | 'demote' | 'deactivate' | 'reactivate' | 'remove' | 'resend' | 'reset';

/** Why the server would refuse `action`, in words, before anyone tries; undefined when it would not. */
export function findGuard(
  action: MemberAction,
  member: Member,
  facts: ProjectFacts,
  directory?: string,
): string | undefined {
  const person = member.user.reference?.startsWith('User/') ?? false;
  if (action === 'resend' && member.active === false) return 'Reactivate this person first';
  if (action === 'resend' || action === 'reset')
    return person && member.user.display?.includes('@') ? undefined : 'Has no e-mail address';
  if (directory && (action === 'deactivate' || action === 'reactivate'))
    return `Managed by ${directory}: change it there`;
  if (action === 'promote' || action === 'reactivate') return undefined;
  if (person && member.user.reference === facts.owner) return 'Owns the project, and stays an active administrator';
  const isLastAdmin = person && facts.admins !== undefined && facts.admins <= 1;
  if (member.admin && member.active !== false && isLastAdmin) return 'Is the only active administrator';
  return undefined;
}

/** The action takes away rights of the person who does it: the server wants to hear that it is meant. */
export function isSelfHarm(action: MemberAction, member: Member, facts: ProjectFacts): boolean {
  return member.id === facts.self && ['demote', 'deactivate', 'remove'].includes(action);
}
