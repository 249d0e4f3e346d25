import { sql } from 'drizzle-orm';
import { AppError } from '#lib/base/errors.ts';
import { SUPER_ADMIN_PROJECT } from '#lib/base/ids.ts';
import { lockName } from '#lib/infra/db/lock-name.ts';
import type { DomainConfiguration } from '#lib/protocol/fhir/client-types.ts';
import { typeId } from '#lib/protocol/fhir/type-ids.ts';
import type { Resource } from '#lib/protocol/fhir/types.ts';
import { isDomainName } from '#lib/protocol/mail-domains/domain-name.ts';
import type { Write } from '../../access/context.ts';
import { keepProviderSecret, withoutProviderSecret } from '../../providers/provider-secrets.ts';
import { requireProvider } from '../../providers/require-provider.ts';
import { requireSamlProvider } from '../../providers/require-saml-provider.ts';
import { type Row, toResource } from '../../store/row.ts';
import type { ResourceChange, TypeRule } from '../type-rule.ts';

/** Who speaks for the addresses of a domain: for the super-admin alone, in their own project, one of each domain. */
export const domainRule: TypeRule = { prepare, beforeDelete };

async function prepare({ ctx, projectId, before, after }: ResourceChange): Promise<Resource> {
  if (projectId !== SUPER_ADMIN_PROJECT) throw new AppError('forbidden', 'Domains stand in the super-admin project');
  const given = after as unknown as DomainConfiguration & { id: string };
  if (!isDomainName(given.domain)) {
    const text = 'domain must be a name like example.com, in small letters';
    throw new AppError('invalid', text, { expression: 'DomainConfiguration.domain' });
  }
  if (given.project || (before as DomainConfiguration | undefined)?.project) throw ofProject();
  requireProvider(given.identityProvider, 'DomainConfiguration.identityProvider');
  const path = 'DomainConfiguration.samlProvider';
  if (given.identityProvider && given.samlProvider)
    throw new AppError('invalid', 'A domain has one provider: OpenID Connect or SAML', { expression: path });
  const samlProvider = given.samlProvider && requireSamlProvider(given.samlProvider, path);
  const { tx } = ctx.write;
  await lockName(tx, `domain:${given.domain}`);
  const [other] = await tx.execute(sql`
    select 1 from resource r where r.project_id = ${projectId} and r.type_id = ${typeId('DomainConfiguration')}
      and not r.deleted and r.content->>'domain' = ${given.domain} and r.id <> ${given.id}`);
  if (other)
    throw new AppError('duplicate', 'This domain is configured already', { expression: 'DomainConfiguration.domain' });
  await keepProviderSecret(ctx.write, projectId, `DomainConfiguration/${given.id}`, given.identityProvider);
  return withoutProviderSecret({ ...given, ...(samlProvider && { samlProvider }) }) as unknown as Resource;
}

async function beforeDelete(w: Write, row: Row): Promise<void> {
  if (toResource<DomainConfiguration>(row).project) throw ofProject();
  await keepProviderSecret(w, row.projectId, `DomainConfiguration/${row.id}`, undefined);
}

function ofProject(): AppError {
  const text =
    'A domain is a project’s own by its settings (/admin/projects/{id}/domains), and is changed and taken out there';
  return new AppError('conflict', text, { expression: 'DomainConfiguration.project' });
}
