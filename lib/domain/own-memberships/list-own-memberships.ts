import type { OwnMemberships } from '#lib/protocol/answers/own-memberships.ts';
import { findLabel } from '#lib/protocol/membership-label.ts';
import { type Ctx, requireAccount } from '../access/context.ts';
import { findMemberships } from '../sign-in/find-memberships.ts';
import { findOwnLogin } from '../sign-in/find-own-login.ts';

/** Where else the caller is a member, for the project switcher. A client or bot is one thing only, and an app is not told of projects that it was not let into. */
export async function listOwnMemberships(ctx: Ctx): Promise<OwnMemberships> {
  const actor = requireAccount(ctx);
  const isOwn = (await findOwnLogin(actor)) !== undefined;
  const choices = isOwn ? await findMemberships(actor.user.slice('User/'.length)) : [];
  return {
    memberships: choices.map(({ id: membershipId, project, profile, identifier, admin }) => {
      const label = findLabel(identifier);
      const current = membershipId === actor.membershipId;
      return { id: membershipId, project, profile, ...(label !== undefined && { label }), admin, current };
    }),
  };
}
