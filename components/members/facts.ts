import type { Member } from '#lib/client/api/types.ts';
import { tellFactors } from '#lib/client/members/tell-factors.ts';
import type { MemberFact } from '#lib/protocol/answers/member-facts.ts';
import type { MemberStatusName } from '#lib/protocol/answers/member-status.ts';
import type { FactorMethod } from '#lib/protocol/factors/answers.ts';

/** `asking`: nobody knows yet whether the invitation was accepted. `unknown`: that could not be learnt. */
export type MemberStatus = 'asking' | 'unknown' | MemberStatusName;

export type MemberFacts = {
  name: string;
  email?: string;
  type: string;
  person: boolean;
  role: 'Owner' | 'Admin' | 'Member';
  policies: string[];
  scope?: 'Project' | 'Server';
  status: MemberStatus;
  /** Instants; null: none; undefined: nobody knows yet. */
  joinedAt: string | null | undefined;
  lastActiveAt: string | null | undefined;
  /** Beside the password; undefined: nobody knows yet. */
  factors: FactorMethod[] | undefined;
  /** All that they prove beside it, in words; null: of a program, or it could not be learnt; undefined: nobody knows yet. */
  secondFactor: string | null | undefined;
  /** The directory that manages them. */
  directory?: string;
};

/** What the lists know besides the membership itself. */
export type MemberContext = {
  localUsers?: Set<string>;
  owner?: string;
  /** Null: could not be loaded. */
  facts?: Map<string, MemberFact> | null;
  /** Name of a policy by its reference. */
  policyNames: Map<string, string>;
};

const TYPE_LABELS: Record<string, string> = { RelatedPerson: 'Related person', ClientApplication: 'Client' };

/** What a list shows of a membership: names before ids. */
export function toMemberFacts(member: Member, context: MemberContext): MemberFacts {
  const { user, profile, admin, active, accessPolicy, access = [] } = member;
  const type = profile.reference?.split('/')[0] ?? '';
  const person = user.reference?.startsWith('User/') ?? false;
  const email = person ? user.display : undefined;
  const references = [accessPolicy, ...access.map(({ policy }) => policy)].filter((policy) => policy !== undefined);
  return {
    name: profile.display ?? user.display ?? member.id,
    email: email === profile.display ? undefined : email,
    type: TYPE_LABELS[type] ?? type,
    person,
    role: person && user.reference === context.owner ? 'Owner' : admin ? 'Admin' : 'Member',
    policies: references.map(
      ({ reference = '', display }) => context.policyNames.get(reference) ?? display ?? reference ?? 'Policy',
    ),
    scope:
      person && context.localUsers ? (context.localUsers.has(user.reference ?? '') ? 'Project' : 'Server') : undefined,
    directory: context.facts?.get(member.id)?.directory ?? undefined,
    joinedAt: toTime(member, context, 'joinedAt'),
    lastActiveAt: toTime(member, context, 'lastActiveAt'),
    factors: context.facts?.get(member.id)?.factors,
    secondFactor: person ? toFactorText(member, context) : null,
    status: active === false ? 'deactivated' : person ? toStatus(member, context) : 'active',
  };
}

function toStatus({ id }: Member, { facts }: MemberContext): MemberStatus {
  if (!facts) return facts === null ? 'unknown' : 'asking';
  const status = facts.get(id)?.status;
  // Shown as active again before the server has confirmed it, and said how.
  return status === undefined || status === 'deactivated' ? 'asking' : status;
}

function toTime({ id }: Member, { facts }: MemberContext, name: 'joinedAt' | 'lastActiveAt') {
  return facts === undefined ? undefined : (facts?.get(id)?.[name] ?? null);
}

function toFactorText({ id }: Member, { facts }: MemberContext): string | null | undefined {
  if (!facts) return facts;
  const fact = facts.get(id);
  return fact && tellFactors(fact);
}
