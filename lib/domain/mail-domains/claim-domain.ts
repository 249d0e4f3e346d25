import { eq, sql } from 'drizzle-orm';
import { AppError } from '#lib/base/errors.ts';
import { newSecret } from '#lib/base/ids.ts';
import { lockName } from '#lib/infra/db/lock-name.ts';
import { mailDomain } from '#lib/infra/db/schema/mail-domain.ts';
import type { MailDomainRow } from '#lib/protocol/answers/mail-domains.ts';
import { type Ctx, requireProjectAdmin } from '../access/context.ts';
import { write } from '../audit/write.ts';
import { shareProject } from '../memberships/share-project.ts';
import { ofDomain, toDomainRow } from './domain-rows.ts';

const MOST_DOMAINS = 50;

/**
 * A project says that an e-mail domain is its own; it counts when DNS says so too (`verifyDomain`). Anybody may claim any domain: nothing is
 * told of who else did. Throws 403, and 409 for one that is claimed here already, and for one too many.
 */
export async function claimDomain(ctx: Ctx, projectId: string, domain: string): Promise<MailDomainRow> {
  requireProjectAdmin(ctx, projectId);
  return write(ctx, async (w) => {
    await lockName(w.tx, `domains:${projectId}`);
    await shareProject(w.tx, projectId);
    const [counted] = await w.tx
      .select({ n: sql<number>`count(*)::int` })
      .from(mailDomain)
      .where(eq(mailDomain.projectId, projectId));
    if ((counted?.n ?? 0) >= MOST_DOMAINS)
      throw new AppError('conflict', `A project has at most ${MOST_DOMAINS} e-mail domains`);
    const [known] = await w.tx.select().from(mailDomain).where(ofDomain(projectId, domain));
    if (known) throw new AppError('duplicate', 'This domain is claimed here already', { expression: 'domain' });
    const values = { projectId, domain, challenge: newSecret() };
    const [row] = await w.tx.insert(mailDomain).values(values).returning();
    w.audit({ projectId, action: 'domain.claim', target: `Project/${projectId}`, after: { domain } });
    return toDomainRow(row!, undefined);
  });
}
