import type { Queryable } from '#lib/infra/db/client.ts';
import type { LoginRow } from '#lib/infra/db/schema/identity.ts';
import { together } from '#lib/infra/db/together.ts';
import type { LoginResult } from '#lib/protocol/answers/login.ts';
import type { FactorDemand, FactorMethod } from '#lib/protocol/factors/answers.ts';
import { findUser } from '../accounts/find-user.ts';
import { findFactorRules } from '../factors/factor-rules.ts';
import { findFactors } from '../factors/find-factors.ts';
import { offerTotp } from '../factors/offer-totp.ts';

/** What a sign-in must bring before it gets a code: a factor that the person has, or their first one. */
export type Need =
  | { kind: 'verify'; methods: FactorMethod[]; email: string | undefined }
  | { kind: 'enroll'; userId: string; allowed: FactorMethod[]; email: string | undefined };

/** Whose first factor was but a password. */
const BY_PASSWORD: ReadonlySet<string> = new Set(['password']);

declare const PASSED: unique symbol;
/** That a login may have a code for this project. Only the gate makes one, and no code is made without: there is no way around it. */
export type Pass = { projectId: string; [PASSED]: true };

export type Gate = { pass: Pass; need?: undefined } | { pass?: undefined; need: Need };

type Person = Pick<LoginRow, 'userRef' | 'authMethod' | 'factorAt'>;
/** For what: without a membership only what the person has, or owes to all. */
type At = { projectId?: string; membershipId?: string };

/** Whether this sign-in has proven what it must. Of every code that a person gets it is asked here, and nowhere else. */
export async function askGate(q: Queryable, person: Person, at: At): Promise<Gate> {
  const need = await findNeed(q, person, at);
  return need ? { need } : { pass: { projectId: at.projectId ?? '' } as Pass };
}

/**
 * Who has a second factor proves it at each sign-in with password. Who has none must enrol one when the account asks for it
 * (User.mfaRequired, as an invitation sets it) or the project does of this membership. Whom an identity provider names has proven there
 * what that asks for, and a passkey is two factors by itself (contract §1.5: of sign-ins with password only).
 */
export async function findNeed(q: Queryable, person: Person, at: At): Promise<Need | undefined> {
  if (!BY_PASSWORD.has(person.authMethod)) return undefined;
  const userId = person.userRef.slice('User/'.length);
  const [methods, user, rules] = await together(
    findFactors(q, userId),
    findUser(userId, at.projectId, q),
    findFactorRules(q, at.projectId, at.membershipId),
  );
  const email = user?.email;
  if (methods.length > 0) return person.factorAt ? undefined : { kind: 'verify', methods, email };
  const { allowed, isRequired } = rules;
  return isRequired || user?.mfaRequired === true ? { kind: 'enroll', userId, allowed, email } : undefined;
}

/** As the person is told of it at this login (contract §1.5). Outside a transaction: it may make the secret that is offered. */
export async function describeNeed(loginId: string, need: Need): Promise<FactorDemand> {
  const { email } = need;
  if (need.kind === 'verify') return { mfaRequired: true, mfaMethods: need.methods, ...(email && { email }) };
  const { userId, allowed } = need;
  const enrolment = allowed.includes('totp') ? await offerTotp({ userId, loginId }, email ?? userId) : undefined;
  return { mfaEnrollRequired: true, allowedMfaMethods: allowed, ...(email && { email }), ...enrolment };
}

/** What a sign-in answers that was just begun. */
export async function toResult({ need, ...rest }: { login: string; code?: string; need?: Need }): Promise<LoginResult> {
  return { ...rest, ...(need && (await describeNeed(rest.login, need))) };
}
