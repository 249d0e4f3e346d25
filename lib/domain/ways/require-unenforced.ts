import { sql } from 'drizzle-orm';
import { AppError } from '#lib/base/errors.ts';
import type { Queryable } from '#lib/infra/db/client.ts';
import { domainOf } from '#lib/protocol/mail-domains/domain-name.ts';
import { projectsOf } from '../directory/projects-of.ts';
import { enforcedDomains } from './enforced-domains.ts';

/**
 * Whose address is of a domain that a project of theirs lets in by its own provider alone keeps that address: with another they would come in
 * by a password. Throws 409.
 */
export async function requireUnenforced(q: Queryable, userId: string, email: string): Promise<void> {
  const domain = domainOf(email);
  for (const projectId of await projectsOf(userId, q)) {
    const [row] = await q.execute<{ domains: string[] | null }>(sql`select ${enforcedDomains(projectId)} as domains`);
    if (!row?.domains?.includes(domain)) continue;
    throw new AppError('conflict', `Your organisation manages the addresses of ${domain}: it changes yours`, {
      expression: 'email',
    });
  }
}
