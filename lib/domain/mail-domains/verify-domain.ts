import { timingSafeEqual } from 'node:crypto';
import { AppError, notFound } from '#lib/base/errors.ts';
import { db } from '#lib/infra/db/client.ts';
import { mailDomain } from '#lib/infra/db/schema/mail-domain.ts';
import { findTexts } from '#lib/infra/net/find-texts.ts';
import type { MailDomainRow } from '#lib/protocol/answers/mail-domains.ts';
import { type Ctx, requireProjectAdmin } from '../access/context.ts';
import { write } from '../audit/write.ts';
import { throttle } from '../limits/throttle.ts';
import { makeConfiguration } from './configuration.ts';
import { lockDomain, type MailDomain, ofDomain, toRecord } from './domain-rows.ts';
import { readDomain } from './list-domains.ts';

/** Of one project, in a quarter of an hour: each may take DNS some seconds. */
const QUESTIONS_A_PROJECT = 60;

/**
 * Asks DNS whether the domain says that it is the project's: then it is. Throws 403, 404, 400 when its record is not there, or DNS
 * does not answer, 409 when it is somebody else's already, 429.
 */
export async function verifyDomain(ctx: Ctx, projectId: string, domain: string): Promise<MailDomainRow> {
  const actor = requireProjectAdmin(ctx, projectId);
  const [claimed] = await db().select().from(mailDomain).where(ofDomain(projectId, domain));
  if (!claimed) throw notFound();
  await throttle(`domain-check:${projectId}`, QUESTIONS_A_PROJECT);
  const says = await askDns(claimed);
  const { name, value } = toRecord(claimed);
  if (says === 'nothing') throw wrong('DNS did not answer for this domain; try again in a few minutes');
  if (says === 'no')
    throw wrong(`There is no TXT record at ${name} with ${value}. A new record may take an hour to be seen`);
  await write(ctx, async (w) => {
    // Taken out and claimed anew meanwhile, it has another value.
    const row = await lockDomain(w.tx, projectId, domain);
    if (row.challenge !== claimed.challenge) throw notFound();
    await makeConfiguration(w, projectId, row.domain, actor.profile);
    const now = new Date();
    const set = { verifiedAt: row.verifiedAt ?? now, checkedAt: now, missingSince: null };
    await w.tx.update(mailDomain).set(set).where(ofDomain(projectId, domain));
    w.audit({ projectId, action: 'domain.verify', target: `Project/${projectId}`, after: { domain: row.domain } });
  });
  return readDomain(ctx, projectId, domain);
}

/** Whether the record is there; `nothing` when DNS did not say. */
export async function askDns(row: Pick<MailDomain, 'domain' | 'challenge'>): Promise<'yes' | 'no' | 'nothing'> {
  const { name, value } = toRecord(row);
  const texts = await findTexts(name);
  if (!texts) return 'nothing';
  return texts.some((text) => isSame(text.trim(), value)) ? 'yes' : 'no';
}

function isSame(given: string, own: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(own)];
  return a.length === b.length && timingSafeEqual(a, b);
}

function wrong(text: string): AppError {
  return new AppError('invalid', text, { expression: 'domain' });
}
