import { AppError, notFound } from '#lib/base/errors.ts';
import { db } from '#lib/infra/db/client.ts';
import type { LoginRow } from '#lib/infra/db/schema/login.ts';
import { type Actor, type Ctx, requireAccount } from '../../access/context.ts';
import { endOf, requirePlace } from '../../bounds/within-bounds.ts';
import { loadActor } from '../../sessions/load-actor.ts';
import { narrowActor } from '../../sessions/narrow-actor.ts';
import { findMemberships } from '../../sign-in/find-memberships.ts';
import { findOwnLogin } from '../../sign-in/find-own-login.ts';
import { wouldPass } from '../../sign-in/gate.ts';

/**
 * The caller as an administrator of another project, as far as this sign-in would let them in there, too. Throws 404 for a project of which they are no
 * member, and 403 where they do not administer it, or it asks for more than they have shown.
 */
export async function enterProject(ctx: Ctx, projectId: string): Promise<Actor> {
  const actor = requireAccount(ctx);
  const login = actor.byBot ? undefined : await findOwnLogin(actor);
  if (!login) throw new AppError('forbidden', 'Only who has signed in themselves reaches another project');
  const choices = await findMemberships(actor.user.slice('User/'.length), { projectId });
  if (choices.length === 0) throw notFound();
  for (const { id: membershipId } of choices) {
    const { value } = await loadActor({ projectId, membershipId, loginId: actor.loginId, scope: login.scope });
    if (value.admin && value.user === actor.user) return passed(ctx, narrowActor(value), login);
  }
  throw new AppError('forbidden', 'You do not administer that project', { expression: 'project' });
}

async function passed(ctx: Ctx, actor: Actor, login: LoginRow): Promise<Actor> {
  const { projectId, membershipId, bounds } = actor;
  requirePlace(actor, ctx);
  const end = endOf(bounds, login.authTime);
  const isOver = end !== undefined && end <= Date.now();
  if (!isOver && (await wouldPass(db(), login, { projectId, membershipId }))) return actor;
  const text = 'That project asks for more than this sign-in has shown: sign in to it first';
  throw new AppError('forbidden', text, { expression: 'project' });
}
