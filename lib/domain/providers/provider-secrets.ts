import { and, eq, ne, sql } from 'drizzle-orm';
import { seal, unseal } from '#lib/infra/crypto/seal.ts';
import type { Queryable } from '#lib/infra/db/client.ts';
import { providerSecret } from '#lib/infra/db/schema/grants.ts';
import { ofProject } from '#lib/infra/db/server-role/of-project.ts';
import type { IdentityProvider } from '#lib/protocol/fhir/client-types.ts';
import type { Write } from '../access/context.ts';
import { SEALED } from './sealed.ts';

/** The same without what is not kept beside it. */
export function withoutProviderSecret<T extends { identityProvider?: IdentityProvider }>(resource: T): T {
  if (resource.identityProvider?.clientSecret === undefined) return resource;
  const { clientSecret: _, ...identityProvider } = resource.identityProvider;
  return { ...resource, identityProvider };
}

/**
 * Seals the secret that came with a provider. One that came without keeps what it has, as long as it is for the same address: who may change that
 * need not know the secret, and would read it there.
 */
export async function keepProviderSecret(
  w: Pick<Write, 'tx' | 'audit'>,
  projectId: string,
  owner: string,
  provider: IdentityProvider | undefined,
): Promise<void> {
  const { tx } = w;
  const { clientSecret, tokenUrl } = provider ?? {};
  if (clientSecret !== undefined && tokenUrl !== undefined) {
    if ((await findProviderSecret(projectId, owner, tokenUrl, tx)) === clientSecret) return;
    // It stands in no version of the resource, so this is what tells of it.
    w.audit({ projectId, action: 'provider.secret.set', target: owner });
    const valueSealed = seal(SEALED.provider_secret.purpose, clientSecret);
    await ofProject(projectId, tx, (q) =>
      q
        .insert(providerSecret)
        .values({ projectId, owner, tokenUrl, valueSealed })
        .onConflictDoUpdate({
          target: [providerSecret.projectId, providerSecret.owner],
          set: { tokenUrl, valueSealed },
        }),
    );
    return;
  }
  const isOther = tokenUrl === undefined ? sql`true` : ne(providerSecret.tokenUrl, tokenUrl);
  await ofProject(projectId, tx, (q) => q.delete(providerSecret).where(and(whereOwner(projectId, owner), isOther)));
}

/** The secret for this address; undefined when there is none. */
export async function findProviderSecret(
  projectId: string,
  owner: string,
  tokenUrl: string,
  tx?: Queryable,
): Promise<string | undefined> {
  const [row] = await ofProject(projectId, tx, (q) =>
    q
      .select({ valueSealed: providerSecret.valueSealed })
      .from(providerSecret)
      .where(and(whereOwner(projectId, owner), eq(providerSecret.tokenUrl, tokenUrl))),
  );
  return row && unseal(SEALED.provider_secret.purpose, row.valueSealed);
}

function whereOwner(projectId: string, owner: string) {
  return and(eq(providerSecret.projectId, projectId), eq(providerSecret.owner, owner));
}
