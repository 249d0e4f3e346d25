import { sql } from 'drizzle-orm';
import { eachAlone } from '#lib/base/each-alone.ts';
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
/** At a time. */
const MOST = 500;

/**
 * Asks DNS again, once a day, for what is verified: a domain may be sold, or given up. One whose record is gone for a week is the project's no
 * longer. Where DNS does not answer, all stays as it is.
 */
export async function recheckDomains(ctx: Ctx, stopped?: AbortSignal, now = Date.now()): Promise<void> {
  for (let after = '', last = MOST; last === MOST; ) {
    const rows = await db().execute<{ id: string; domain: string; project: string }>(sql`
      select r.id, r.content->>'domain' as domain, r.content->'project'->>'reference' as project from resource r
      where r.project_id = ${SUPER_ADMIN_PROJECT} and r.type_id = ${typeId('DomainConfiguration')} and not r.deleted
        and r.content ? 'project' and r.id > ${after} order by r.id limit ${MOST}`);
    await eachAlone(rows, stopped, 'a domain was not asked for again', async ({ domain, project }) => {
      const projectId = project.slice('Project/'.length);
      if (isUuid(projectId)) await recheck(ctx, projectId, domain, now);
    });
    if (stopped?.aborted) return;
    last = rows.length;
    after = rows.at(-1)?.id ?? after;
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
