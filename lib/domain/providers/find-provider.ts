import { sql } from 'drizzle-orm';
import { SUPER_ADMIN_PROJECT } from '#lib/base/ids.ts';
import { db, type Queryable } from '#lib/infra/db/client.ts';
import type { DomainConfiguration } from '#lib/protocol/fhir/client-types.ts';
import { typeId } from '#lib/protocol/fhir/type-ids.ts';
import { findClient } from '../clients/find-client.ts';
import type { Provider } from './provider.ts';

export type DomainProvider = Provider & { domain: string; allowedRedirects: string[] };

/** Who speaks for the addresses of a domain, as the super-admin has it, or the project whose domain it is. */
export async function findDomainProvider(domain: string, q: Queryable = db()): Promise<DomainProvider | undefined> {
  const projectId = SUPER_ADMIN_PROJECT;
  const [row] = await q.execute<{ id: string; content: DomainConfiguration }>(sql`
    select r.id, r.content from resource r
    where r.project_id = ${projectId} and r.type_id = ${typeId('DomainConfiguration')} and not r.deleted
      and r.content->>'domain' = ${domain.toLowerCase()} order by r.id limit 1`);
  const { identityProvider: settings = {}, samlProvider: saml } = row?.content ?? {};
  if (!row || !(settings.authorizeUrl || saml)) return undefined;
  const allowedRedirects = row.content.allowedPostLoginRedirectUrls ?? [];
  const forProject = row.content.project?.reference?.slice('Project/'.length);
  return {
    projectId,
    owner: `DomainConfiguration/${row.id}`,
    settings,
    ...(saml && { saml }),
    domain: domain.toLowerCase(),
    allowedRedirects,
    ...(forProject && { forProject }),
  };
}

/** Who says for a client's project who somebody is. */
export async function findClientProvider(clientId: string): Promise<Provider | undefined> {
  const client = await findClient(clientId);
  const settings = client?.resource.identityProvider;
  return client && settings && { projectId: client.projectId, owner: `ClientApplication/${client.id}`, settings };
}
