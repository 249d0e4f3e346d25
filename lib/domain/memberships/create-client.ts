import type { ClientApplication } from '#lib/protocol/fhir/client-types.ts';
import type { Reference } from '#lib/protocol/fhir/types.ts';
import { type Actor, type Ctx, requireProjectAdmin } from '../access/context.ts';
import { write } from '../audit/write.ts';
import { requireOwner } from '../clients/require-owner.ts';
import { requireProof } from '../proofs/require-proof.ts';
import type { Access } from './default-access.ts';
import { type Provisioned, provisionClient } from './provision-client.ts';
import { requirePolicies } from './require-policies.ts';
import { shareProject } from './share-project.ts';

/**
 * A new client of the project with its secret and membership, for an administrator (contract §2.7). Also behind a plain FHIR create: a
 * client without a secret is of no use. Without `access` it reaches everything that is not for administrators.
 */
export async function createClient(
  ctx: Ctx,
  projectId: string,
  client: ClientApplication,
  access: Access = {},
): Promise<Provisioned> {
  const actor = requireProjectAdmin(ctx, projectId);
  return write(ctx, async (w) => {
    await requireProof(actor, w.tx);
    await shareProject(w.tx, projectId);
    await requirePolicies(w.tx, projectId, access);
    const invitedBy = { reference: actor.user, display: actor.profileDisplay };
    const own = client.owner ?? responsible(actor, projectId);
    const named = { ...client, ...(await requireOwner(w.tx, projectId, { ...client, owner: own })) };
    return provisionClient(w, projectId, named, { author: actor.profile, access, invitedBy });
  });
}

/** Whoever makes it, until they say otherwise. */
function responsible({ user, projectId, membershipId }: Actor, of: string): Reference | undefined {
  return user.startsWith('User/') && projectId === of ? { reference: `ProjectMembership/${membershipId}` } : undefined;
}
