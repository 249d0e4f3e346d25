import { asc, eq } from 'drizzle-orm';
import { env } from '#lib/base/env.ts';
import { notFound } from '#lib/base/errors.ts';
import { isUuid } from '#lib/base/ids.ts';
import { db } from '#lib/infra/db/client.ts';
import { mailDomain } from '#lib/infra/db/schema/mail-domain.ts';
import type { MailDomainList, MailDomainRow } from '#lib/protocol/answers/mail-domains.ts';
import { type Ctx, requireProjectAdmin } from '../access/context.ts';
import { serviceProviderOf } from '../providers/service-provider.ts';
import { findConfigurations } from './configuration.ts';
import { ofDomain, toDomainRow } from './domain-rows.ts';

/** The project's domains, by name. For administrators. */
export async function listDomains(ctx: Ctx, projectId: string): Promise<MailDomainList> {
  requireProjectAdmin(ctx, projectId);
  if (!isUuid(projectId)) throw notFound();
  const [rows, configurations] = await Promise.all([
    db().select().from(mailDomain).where(eq(mailDomain.projectId, projectId)).orderBy(asc(mailDomain.domain)),
    findConfigurations(db(), projectId),
  ]);
  return {
    callbackUrl: `${env().BASE_URL}/auth/external`,
    samlService: serviceProviderOf(projectId),
    rows: rows.map((row) => toDomainRow(row, configurations.get(row.domain))),
  };
}

/** One of them. Throws 403 and 404. */
export async function readDomain(ctx: Ctx, projectId: string, domain: string): Promise<MailDomainRow> {
  requireProjectAdmin(ctx, projectId);
  const [row] = await db().select().from(mailDomain).where(ofDomain(projectId, domain));
  if (!row) throw notFound();
  return toDomainRow(row, (await findConfigurations(db(), projectId)).get(row.domain));
}
