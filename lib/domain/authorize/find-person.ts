import { AppError } from '#lib/base/errors.ts';
import type { LoginRow } from '#lib/infra/db/schema/login.ts';
import type { Actor } from '../access/context.ts';
import { verifyIdToken } from '../oauth/verify-id-token.ts';
import { type Choice, findMemberships, keepWithin } from '../sign-in/find-memberships.ts';
import { findOwnLogin } from '../sign-in/find-own-login.ts';
import { type AuthorizeRequest, refused } from './authorize-request.ts';

/** Somebody who is signed in here, and the memberships with which they can use the app. */
export type Person = {
  userId: string;
  login: LoginRow;
  choices: Choice[];
  /** With which of them, when nobody needs to ask: the one that is open, or the only one. */
  chosen: Choice | undefined;
};

/** Undefined of who has no sign-in of their own, or not the one that the app asks for: they sign in first. */
export async function findPerson(actor: Actor | undefined, request: AuthorizeRequest): Promise<Person | undefined> {
  const login = actor && (await findOwnLogin(actor, { within: true }));
  if (!actor || !login) return undefined;
  const userId = actor.user.slice('User/'.length);
  const { signedInSince, idTokenHint, app } = request;
  if (signedInSince && toSeconds(login.authTime) < toSeconds(signedInSince)) return undefined;
  if (idTokenHint !== undefined && (await readHint(idTokenHint)) !== userId) {
    if (signedInSince) throw refused('login_required', 'Somebody else has signed in');
    return undefined;
  }
  const all = await findMemberships(userId, { projectId: app.client?.projectId });
  const choices = keepWithin(all, login);
  // For an app of another project they sign in anew.
  if (choices.length === 0 && all.length > 0) return undefined;
  const open = choices.find(({ id }) => id === actor.membershipId);
  return { userId, login, choices, chosen: open ?? (choices.length === 1 ? choices[0] : undefined) };
}

/** Clocks of apps, and what goes through an address, know seconds. */
function toSeconds(date: Date): number {
  return Math.floor(date.getTime() / 1000);
}

async function readHint(token: string): Promise<string | undefined> {
  const { sub } = await verifyIdToken(token).catch((cause: unknown) => {
    if (!(cause instanceof AppError) || cause.code !== 'unauthorized') throw cause;
    throw refused('invalid_request', 'id_token_hint is not a token of this server');
  });
  return sub;
}
