import { AppError } from '#lib/base/errors.ts';
import type { Queryable } from '#lib/infra/db/client.ts';
import type { LoginRow } from '#lib/infra/db/schema/login.ts';
import { together } from '#lib/infra/db/together.ts';
import type { LoginResult } from '#lib/protocol/answers/login.ts';
import type { FactorDemand, FactorMethod } from '#lib/protocol/factors/answers.ts';
import type { Way } from '#lib/protocol/sign-in/ways.ts';
import { findUser } from '../accounts/find-user.ts';
import { isFrom } from '../bounds/within-bounds.ts';
import { findFactors } from '../factors/find-factors.ts';
import { offerTotp } from '../factors/offer-totp.ts';
import { isWay, wayRefused } from '../ways/way-of.ts';
import { hasPasskey } from '../webauthn/own-rows.ts';
import { type EntryRules, findEntryRules } from './entry-rules.ts';

/** What a sign-in must bring before it gets a code: a factor that the person has, their passkey instead of the password, or their first factor. */
export type Need =
  | { kind: 'verify'; methods: FactorMethod[]; email: string | undefined }
  | { kind: 'passkey'; email: string | undefined }
  | { kind: 'enroll'; userId: string; allowed: FactorMethod[]; email: string | undefined };

/** Whose first factor was but a password, or their mailbox. */
const ONE_FACTOR: ReadonlySet<string> = new Set(['password', 'link']);

/** Whom somebody else names: what they showed there is theirs to say, and they say it or do not. */
const BY_PROVIDER: ReadonlySet<string> = new Set(['external', 'exchange']);

const SET_UP_FIRST =
  'A second step is asked for, and your account has none. Sign in with your password, set one up on your account page, and come back';

const MAILBOX_TWICE =
  'A second step is asked for, and a code to the same mailbox is none. Sign in with your password or a passkey';

const ELSEWHERE = 'This project is not entered from this IP address';

declare const PASSED: unique symbol;
/** That a login may have a code for this project. Only the gate makes one, and no code is made without: there is no way around it. */
export type Pass = { projectId: string; [PASSED]: true };

export type Gate = { pass: Pass; need?: undefined } | { pass?: undefined; need: Need };

type Person = Pick<LoginRow, 'userRef' | 'authMethod' | 'factorAt' | 'remoteAddress' | 'withinProject'>;
/** For what: without a membership only what the person has, or owes to all. */
type At = { projectId?: string; membershipId?: string };

/**
 * Whether this sign-in has proven what it must. Of every code that a person gets it is asked here, and nowhere else. Throws 400 where the
 * membership is not to be entered by this way at all, and says by which.
 */
export async function askGate(q: Queryable, person: Person, at: At): Promise<Gate> {
  const { need, ways, isElsewhere } = await look(q, person, at);
  if (isElsewhere) throw new AppError('invalid', ELSEWHERE, { oauth: 'invalid_request' });
  if (ways) throw wayRefused(ways);
  if (isBeyond(need)) throw new AppError('invalid', person.authMethod === 'link' ? MAILBOX_TWICE : SET_UP_FIRST);
  return need ? { need } : { pass: { projectId: at.projectId ?? '' } as Pass };
}

/** Whether it would give a code as things stand: else the person signs in anew. */
export async function wouldPass(q: Queryable, person: Person, at: At): Promise<boolean> {
  const { need, ways, isElsewhere = false } = await look(q, person, at);
  return need === undefined && ways === undefined && !isElsewhere;
}

type Lacks = {
  need?: Need /** By which it must be instead. */;
  ways?: Way[] /** It began at an address from where the project is not entered. */;
  isElsewhere?: boolean;
};

async function look(q: Queryable, person: Person, at: At): Promise<Lacks> {
  const asked = findEntryRules(q, at.projectId, at.membershipId);
  const [rules, need] = await together(asked, findNeed(q, person, at, asked));
  if (at.membershipId !== undefined && !isFrom(rules.bounds, person.remoteAddress ?? '')) return { isElsewhere: true };
  return rules.ways && !isWay(person.authMethod, rules.ways) ? { ways: rules.ways } : { need };
}

/**
 * Who has a second factor proves it at each sign-in with password or by link. Who has none must enrol one when the account asks for it
 * (User.mfaRequired, as an invitation sets it) or the project does of this membership; who has a passkey signs in with that instead, which
 * is asked for nothing more: a passkey is two factors by itself. Whom an identity provider names is asked where a second factor is a must, and
 * the provider has not told of one (`isTwoFactors`). After a link, codes to the same mailbox do not count.
 */
export async function findNeed(
  q: Queryable,
  person: Person,
  at: At,
  asked?: Promise<EntryRules>,
): Promise<Need | undefined> {
  const { authMethod, factorAt } = person;
  const isNamed = BY_PROVIDER.has(authMethod);
  if (!ONE_FACTOR.has(authMethod) && !(isNamed && !factorAt)) return undefined;
  const userId = person.userRef.slice('User/'.length);
  const [methods, user, rules] = await together(
    findFactors(q, userId),
    findUser(userId, at.projectId, q),
    asked ?? findEntryRules(q, at.projectId, at.membershipId),
  );
  const email = user?.email;
  const isMust = rules.isRequired || user?.mfaRequired === true;
  if (isNamed && !isMust) return undefined;
  const further = (all: FactorMethod[]) => (authMethod === 'link' ? all.filter((one) => one !== 'email') : all);
  if (methods.length > 0) return factorAt ? undefined : { kind: 'verify', methods: further(methods), email };
  if (!isMust) return undefined;
  // Whoever knows the password must not set up in their place what keeps them out; where no passkey lets in, it keeps nobody in.
  const isWayIn = !isNamed || rules.ways === undefined || rules.ways.includes('passkey');
  if (isWayIn && (await hasPasskey(q, userId))) return { kind: 'passkey', email };
  // A project's own provider says who somebody is there alone: it sets up nothing for their account, which is entered elsewhere, too.
  return { kind: 'enroll', userId, allowed: person.withinProject ? [] : further(rules.allowed), email };
}

/** A need that this sign-in cannot meet: a code to the mailbox that the link came to proves nothing more. */
function isBeyond(need: Need | undefined): boolean {
  if (need === undefined || need.kind === 'passkey') return false;
  return (need.kind === 'verify' ? need.methods : need.allowed).length === 0;
}

/** As the person is told of it at this login (contract §1.5). Outside a transaction: it may make the secret that is offered. */
export async function describeNeed(loginId: string, need: Need): Promise<FactorDemand> {
  const { email } = need;
  if (need.kind === 'passkey') return { mfaRequired: true, mfaMethods: ['passkey'], ...(email && { email }) };
  if (need.kind === 'verify') return { mfaRequired: true, mfaMethods: need.methods, ...(email && { email }) };
  const { userId, allowed } = need;
  const enrolment = allowed.includes('totp') ? await offerTotp({ userId, loginId }, email ?? userId) : undefined;
  return { mfaEnrollRequired: true, allowedMfaMethods: allowed, ...(email && { email }), ...enrolment };
}

/** What a sign-in answers that was just begun. */
export async function toResult({ need, ...rest }: { login: string; code?: string; need?: Need }): Promise<LoginResult> {
  return { ...rest, ...(need && (await describeNeed(rest.login, need))) };
}
