import { isDeepStrictEqual } from 'node:util';
import { eq } from 'drizzle-orm';
import { AppError } from '#lib/base/errors.ts';
import { secretMatches } from '#lib/infra/crypto/secret.ts';
import type { Queryable } from '#lib/infra/db/client.ts';
import { clientSecret } from '#lib/infra/db/schema/clients.ts';
import type { ClientApplication } from '#lib/protocol/fhir/client-types.ts';
import type { Resource } from '#lib/protocol/fhir/types.ts';
import { clientTag } from '../../access/cache-tags.ts';
import type { Actor, Ctx, Write } from '../../access/context.ts';
import { requireAll } from '../../access/has-all.ts';
import { deleteClientSecret } from '../../clients/delete-client-secret.ts';
import { endClientLogins } from '../../clients/end-client-logins.ts';
import { requireOwner } from '../../clients/require-owner.ts';
import { requireStorableClient } from '../../clients/require-storable-client.ts';
import { createClient } from '../../memberships/create-client.ts';
import { followName } from '../../memberships/follow-name.ts';
import { lockAdmins } from '../../memberships/guard-admins.ts';
import { requireProof } from '../../proofs/require-proof.ts';
import { keepProviderSecret, withoutProviderSecret } from '../../providers/provider-secrets.ts';
import { requireProvider } from '../../providers/require-provider.ts';
import { type Row, toResource } from '../../store/row.ts';
import type { Made, ResourceChange, TypeRule } from '../type-rule.ts';
import { endProgramMemberships } from './program.ts';

/** A client has a secret, of which only a hash is kept, and a membership to act under. */
export const clientRule: TypeRule = {
  create,
  prepare,
  changed,
  updated: followName,
  lockForDelete: lockAdmins,
  beforeDelete,
};

async function create(ctx: Ctx, projectId: string, resource: Resource): Promise<Made> {
  const { row, secret } = await createClient(ctx, projectId, resource as unknown as ClientApplication);
  return { row, once: { secret } };
}

/** Switched off or gone, it is so for the sessions that it has, too. */
async function changed(w: Write, row: Row): Promise<void> {
  w.invalidate(clientTag(row.id));
  const isOn = !row.deleted && (toResource<ClientApplication>(row).status ?? 'active') === 'active';
  if (!isOn) await endClientLogins(w, row.projectId, row.id);
}

/** Who read the secret at the creation may send it back; it is never stored with the rest, and never changed this way. */
async function prepare({ ctx, actor, projectId, before, after }: ResourceChange): Promise<Resource> {
  await requireSameProof(ctx.write.tx, actor, before, after);
  const { secret, retiringSecret, ...client } = after as Resource & ClientApplication & { id: string };
  requireStorableClient(client as ClientApplication);
  await requireKnownSecret(ctx.write.tx, after.id, { secret, retiringSecret });
  const owner = await requireOwner(
    ctx.write.tx,
    projectId,
    client as ClientApplication,
    before as ClientApplication | undefined,
  );
  const { identityProvider } = client as ClientApplication;
  requireProvider(identityProvider, 'ClientApplication.identityProvider');
  await keepProviderSecret(ctx.write, projectId, `ClientApplication/${after.id}`, identityProvider);
  return withoutProviderSecret({ ...client, ...owner });
}

/** Beside whom the program is known by, what it is kept within. */
const ADMINS_ONLY = [
  'identityProvider',
  'jwksUri',
  'tokenEndpointAuthMethod',
  'allowedAddress',
  'allowedScope',
  'grantType',
] as const;

/**
 * Who says who somebody is, and by which keys the program shows itself, makes any member of the project, also an administrator: no policy gives
 * that to who is none, nor the first of it to whom a policy limits, and who does it shows again who they are. Throws 403.
 */
async function requireSameProof(
  tx: Queryable,
  actor: Actor,
  before: Resource | undefined,
  after: Resource,
): Promise<void> {
  for (const name of ADMINS_ONLY) {
    const [old, next] = [before, after].map((client) => (client as ClientApplication | undefined)?.[name]);
    if (isDeepStrictEqual(old, next)) continue;
    if (actor.admin) {
      if (name === 'identityProvider') requireAll(actor, 'says who people are');
      await requireProof(actor, tx);
      continue;
    }
    throw adminsOnly(name);
  }
  if (actor.admin) return;
  const [old, next] = [before, after].map((client) => (client as ClientApplication | undefined)?.owner?.reference);
  if (old !== next) throw adminsOnly('owner');
}

function adminsOnly(name: string): AppError {
  return new AppError('forbidden', `Only an administrator changes ${name}`, {
    expression: `ClientApplication.${name}`,
  });
}

async function requireKnownSecret(tx: Queryable, id: string, sent: { secret?: string; retiringSecret?: string }) {
  if (sent.secret === undefined && sent.retiringSecret === undefined) return;
  const [stored] = await tx.select().from(clientSecret).where(eq(clientSecret.clientId, id));
  for (const [name, value] of Object.entries(sent)) {
    if (
      value === undefined ||
      secretMatches(value, stored?.secretHash) ||
      secretMatches(value, stored?.retiringHash ?? undefined)
    )
      continue;
    const text = 'A secret is changed by POST ClientApplication/{id}/$rotate-secret';
    throw new AppError('invalid', text, { expression: `ClientApplication.${name}` });
  }
}

async function beforeDelete(w: Write, row: Row, actor: Actor): Promise<void> {
  await endProgramMemberships(w, row, actor);
  await deleteClientSecret(w.tx, row.projectId, row.id);
  await keepProviderSecret(w, row.projectId, `ClientApplication/${row.id}`, undefined);
}
