import { and, eq, sql } from 'drizzle-orm';
import { notFound } from '#lib/base/errors.ts';
import { isUuid } from '#lib/base/ids.ts';
import type { Queryable } from '#lib/infra/db/client.ts';
import { mailDomain } from '#lib/infra/db/schema/mail-domain.ts';
import { readCertificate } from '#lib/infra/saml/read-certificate.ts';
import type { MailDomainRow } from '#lib/protocol/answers/mail-domains.ts';
import type { DomainConfiguration } from '#lib/protocol/fhir/client-types.ts';
import { isDomainName } from '#lib/protocol/mail-domains/domain-name.ts';

export type MailDomain = typeof mailDomain.$inferSelect;

/** The project's row of a domain, locked until the transaction ends. Throws 404. */
export async function lockDomain(tx: Queryable, projectId: string, domain: string): Promise<MailDomain> {
  const [row] = await tx.select().from(mailDomain).where(ofDomain(projectId, domain)).for('update');
  if (!row) throw notFound();
  return row;
}

/** By which one row is found. Throws 404 for what is no domain: no row has such a name. */
export function ofDomain(projectId: string, domain: string) {
  const name = domain.toLowerCase();
  if (!isUuid(projectId) || !isDomainName(name)) throw notFound();
  return and(eq(mailDomain.projectId, projectId), eq(mailDomain.domain, name));
}

/** Domains whose people are given this policy when they join. */
export async function domainsGiving(q: Queryable, projectId: string, policy: string): Promise<string[]> {
  const rows = await q
    .select({ domain: mailDomain.domain })
    .from(mailDomain)
    .where(
      and(eq(mailDomain.projectId, projectId), sql`${mailDomain.joins}->'accessPolicy'->>'reference' = ${policy}`),
    );
  return rows.map(({ domain }) => domain);
}

/** Where the record of a domain stands, and what it says. */
export function toRecord({ domain, challenge }: Pick<MailDomain, 'domain' | 'challenge'>) {
  return { name: `_gatehouse-challenge.${domain}`, value: `gatehouse-domain=${challenge}` };
}

/** As administrators see it. `configuration`: what the server has of it while it is verified. */
export function toDomainRow(row: MailDomain, configuration: DomainConfiguration | undefined): MailDomainRow {
  const saml = configuration?.samlProvider;
  return {
    domain: row.domain,
    record: toRecord(row),
    createdAt: row.createdAt.toISOString(),
    verifiedAt: row.verifiedAt?.toISOString() ?? null,
    checkedAt: row.checkedAt?.toISOString() ?? null,
    missingSince: row.missingSince?.toISOString() ?? null,
    identityProvider: configuration?.identityProvider ?? null,
    samlProvider: saml ? { ...saml, certificates: saml.certificates.map(readCertificate) } : null,
    enforced: row.enforced,
    joins: row.joins,
  };
}
