import { AppError } from '#lib/base/errors.ts';
import type { LoginRow } from '#lib/infra/db/schema/login.ts';
import type { LoginResult } from '#lib/protocol/answers/login.ts';
import type { SwitchRequest } from '#lib/protocol/requests/switch-membership.ts';
import { type Actor, type Ctx, requireAccount } from '../access/context.ts';
import { write } from '../audit/write.ts';
import { lastProof } from '../proofs/last-proof.ts';
import { createLogin } from './create-login.ts';
import { findMemberships } from './find-memberships.ts';
import { findOwnLogin } from './find-own-login.ts';
import { toResult } from './gate.ts';

/**
 * A further login of the same person, for another membership, without asking for the password or passkey again; the old one stays. Only from a
 * sign-in of their own that no client limits: a token that one project's program holds must not open another project. What the other project
 * wants of a second factor must have been proven by that sign-in; else the new one waits for it. Throws 400.
 */
export async function switchMembership(ctx: Ctx, input: SwitchRequest): Promise<LoginResult> {
  const actor = requireAccount(ctx);
  const current = await requireOwnLogin(actor);
  const userId = actor.user.slice('User/'.length);
  const chosen = (await findMemberships(userId)).find((choice) => choice.id === input.membership.toLowerCase());
  if (!chosen) throw new AppError('invalid', 'This is not a membership of yours', { expression: 'membership' });
  const { codeChallenge, codeChallengeMethod } = input;
  const fields = { scope: current.scope, codeChallenge, codeChallengeMethod };
  const created = await write(ctx, async (w, inside) => {
    const made = await createLogin(inside, userId, fields, {
      chosen: { projectId: chosen.projectId, membershipId: chosen.id },
      authMethod: current.authMethod,
      authTime: current.authTime,
      factorAt: current.factorAt,
      provenAt: lastProof(current),
      deviceId: current.deviceId,
    });
    const before = { project: `Project/${actor.projectId}` };
    w.audit({ projectId: chosen.projectId, action: 'login.switch', target: actor.user, before });
    return made;
  });
  return toResult(created);
}

async function requireOwnLogin(actor: Actor): Promise<LoginRow> {
  const row = await findOwnLogin(actor);
  if (!row) throw new AppError('invalid', 'Only somebody who has signed in themselves can switch');
  return row;
}
