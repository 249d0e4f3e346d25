import type { OwnMemberships } from '#lib/protocol/answers/own-memberships.ts';
import { type Ctx, requireAccount } from '../access/context.ts';
import { findMemberships } from './find-memberships.ts';

/** Where else the caller is a member, for the project switcher. A client or bot is one thing only. */
export async function listOwnMemberships(ctx: Ctx): Promise<OwnMemberships> {
  const actor = requireAccount(ctx);
  const [type, id = ''] = actor.user.split('/');
  const choices = type === 'User' && !actor.caller ? await findMemberships(id) : [];
  return {
    memberships: choices.map(({ id: membershipId, project, profile }) => {
      return { id: membershipId, project, profile, current: membershipId === actor.membershipId };
    }),
  };
}
