import { sql } from 'drizzle-orm';
import { isUuid, SUPER_ADMIN_PROJECT } from '#lib/base/ids.ts';
import { db } from '#lib/infra/db/client.ts';
import { mailDomain } from '#lib/infra/db/schema/mail-domain.ts';
import { typeId } from '#lib/protocol/fhir/type-ids.ts';
import type { Ctx } from '../access/context.ts';
import { write } from '../audit/write.ts';
import { endConfiguration } from './configuration.ts';
import { lockDomain, ofDomain } from './domain-rows.ts';
import { askDns } from './verify-domain.ts';

const DAY_MS = 86_400_000;
/** A record that somebody tidied away can come back, and does not shut a hospital out for the night. */
const GRACE_DAYS = 7;
/** Verified again, it begins anew: without a provider nobody could come in by it. */
const LAPSED = { verifiedAt: null, missingSince: null, enforced: false, joins: null };
/** Of one round. */
const MOST = 1000;

/**
 * Asks DNS again, once a day, for what is verified: a domain may be sold, or given up. One whose record is gone for a week is the project's no
 * longer. Where DNS does not answer, all stays as it is.
 */
export async function recheckDomains(ctx: Ctx, stopped?: AbortSignal, now = Date.now()): Promise<void> {
  const rows = await db().execute<{ domain: string; project: string }>(sql`
    select r.content->>'domain' as domain, r.content->'project'->>'reference' as project from resource r
    where r.project_id = ${SUPER_ADMIN_PROJECT} and r.type_id = ${typeId('DomainConfiguration')} and not r.deleted
      and r.content ? 'project' order by r.id limit ${MOST}`);
  for (const { domain, project } of rows) {
    if (stopped?.aborted) return;
    const projectId = project.slice('Project/'.length);
    if (isUuid(projectId)) await recheck(ctx, projectId, domain, now);
  }
}

async function recheck(ctx: Ctx, projectId: string, domain: string, now: number): Promise<void> {
  const [claim] = await db().select().from(mailDomain).where(ofDomain(projectId, domain));
  if (!claim || (claim.checkedAt?.getTime() ?? 0) > now - DAY_MS) return;
  const says = await askDns(claim);
  if (says === 'nothing') return;
  await write(ctx, async (w) => {
    const row = await lockDomain(w.tx, projectId, domain);
    if (row.challenge !== claim.challenge || row.checkedAt?.getTime() !== claim.checkedAt?.getTime())
      return w.unchanged();
    const missingSince = says === 'yes' ? null : (row.missingSince ?? new Date(now));
    const isOver = missingSince !== null && now - missingSince.getTime() >= GRACE_DAYS * DAY_MS;
    const next = { checkedAt: new Date(now), missingSince, ...(isOver && { ...LAPSED }) };
    await w.tx.update(mailDomain).set(next).where(ofDomain(projectId, domain));
    if (isOver) await endConfiguration(w, projectId, domain);
    const after = { domain, found: says === 'yes' };
    w.audit({ projectId, action: isOver ? 'domain.lapse' : 'domain.check', target: `Project/${projectId}`, after });
  });
}
