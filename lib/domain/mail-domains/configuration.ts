import { sql } from 'drizzle-orm';
import { AppError } from '#lib/base/errors.ts';
import { SUPER_ADMIN_PROJECT } from '#lib/base/ids.ts';
import type { Queryable } from '#lib/infra/db/client.ts';
import { lockName } from '#lib/infra/db/lock-name.ts';
import type { DomainConfiguration, IdentityProvider, SamlProvider } from '#lib/protocol/fhir/client-types.ts';
import { typeId } from '#lib/protocol/fhir/type-ids.ts';
import type { Resource } from '#lib/protocol/fhir/types.ts';
import type { Write } from '../access/context.ts';
import { keepProviderSecret, withoutProviderSecret } from '../providers/provider-secrets.ts';
import { createRow } from '../store/create-row.ts';
import { deleteRow } from '../store/delete-row.ts';
import { lockRow } from '../store/find-row.ts';
import { type Row, toResource } from '../store/row.ts';
import { updateRow } from '../store/update-row.ts';

const HOME = SUPER_ADMIN_PROJECT;
const TYPE = 'DomainConfiguration';

/** What the server has of the domains of a project, by domain. */
export async function findConfigurations(q: Queryable, projectId: string): Promise<Map<string, DomainConfiguration>> {
  const rows = await q.execute<{ content: DomainConfiguration }>(sql`
    select r.content from resource r
    where r.project_id = ${HOME} and r.type_id = ${typeId(TYPE)} and not r.deleted
      and r.content->'project'->>'reference' = ${`Project/${projectId}`}`);
  return new Map(rows.map(({ content }) => [content.domain, content]));
}

/**
 * The domain becomes the project's own. Throws 409 when it is configured already, by the super-admin or for another project: it is not told
 * for whom.
 */
export async function makeConfiguration(w: Write, projectId: string, domain: string, author: string): Promise<void> {
  await lockName(w.tx, `domain:${domain}`);
  const found = await lockConfiguration(w.tx, domain);
  if (found && ownerOf(found) === projectId) return;
  if (found) throw new AppError('duplicate', 'This domain is configured already', { expression: 'domain' });
  const resource: DomainConfiguration = {
    resourceType: TYPE,
    domain,
    project: { reference: `Project/${projectId}` },
  };
  const { id } = await createRow(w, HOME, resource as unknown as Resource, { author });
  w.audit({ projectId: HOME, action: 'resource.create', target: `${TYPE}/${id}` });
}

/** null takes one out; one that is named takes the place of the other. */
export type ProviderEdit = { identityProvider?: IdentityProvider | null; samlProvider?: SamlProvider | null };

/** Another provider, or none, for a domain that is the project's own. False when it is not. */
export async function saveProvider(
  w: Write,
  projectId: string,
  domain: string,
  edit: ProviderEdit,
  author: string,
): Promise<boolean> {
  const row = await lockConfiguration(w.tx, domain);
  if (!row || ownerOf(row) !== projectId) return false;
  const { identityProvider: openId, samlProvider: saml, ...rest } = toResource<DomainConfiguration>(row);
  const identityProvider = edit.samlProvider ? undefined : kept(edit.identityProvider, openId);
  const samlProvider = edit.identityProvider ? undefined : kept(edit.samlProvider, saml);
  await keepProviderSecret(w, HOME, `${TYPE}/${row.id}`, identityProvider);
  const next = withoutProviderSecret({
    ...rest,
    ...(identityProvider && { identityProvider }),
    ...(samlProvider && { samlProvider }),
  });
  const saved = await updateRow(w, row, next as unknown as Resource, author);
  if (saved !== row) w.audit({ projectId: HOME, action: 'resource.update', target: `${TYPE}/${row.id}` });
  return true;
}

function kept<T>(edit: T | null | undefined, now: T | undefined): T | undefined {
  return edit === undefined ? now : (edit ?? undefined);
}

/** It is nobody's any more, and what was set for it is gone. */
export async function endConfiguration(w: Write, projectId: string, domain: string, author?: string): Promise<void> {
  await lockName(w.tx, `domain:${domain}`);
  const row = await lockConfiguration(w.tx, domain);
  if (!row || ownerOf(row) !== projectId) return;
  await keepProviderSecret(w, HOME, `${TYPE}/${row.id}`, undefined);
  await deleteRow(w, row, author);
  w.audit({ projectId: HOME, action: 'resource.delete', target: `${TYPE}/${row.id}` });
}

async function lockConfiguration(tx: Queryable, domain: string): Promise<Row | undefined> {
  const [found] = await tx.execute<{ id: string }>(sql`
    select r.id from resource r where r.project_id = ${HOME} and r.type_id = ${typeId(TYPE)} and not r.deleted
      and r.content->>'domain' = ${domain} order by r.id limit 1`);
  const row = found && (await lockRow(tx, HOME, TYPE, found.id));
  return row?.deleted ? undefined : row;
}

function ownerOf(row: Row): string | undefined {
  return toResource<DomainConfiguration>(row).project?.reference?.split('/')[1];
}
