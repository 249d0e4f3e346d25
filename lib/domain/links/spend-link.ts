import { and, eq, gt, isNull } from 'drizzle-orm';
import { AppError } from '#lib/base/errors.ts';
import type { Queryable } from '#lib/infra/db/client.ts';
import { oneTimeLink } from '#lib/infra/db/schema/login.ts';
import type { Write } from '../access/context.ts';
import type { LinkRow } from './find-link.ts';
import { type LinkStanding, readLinkState } from './read-link-state.ts';
import { tellInvite } from './tell-invite.ts';

/** Throws 400 for a link that was used, has expired, or gave way to a newer one, and says which. */
export async function requireOpenLink(q: Queryable, link: LinkRow): Promise<void> {
  const standing = await readLinkState(q, link);
  if (standing.state !== 'open') throw notOpen(standing);
}

export function notOpen({ state, replaced }: LinkStanding): AppError {
  const text = state === 'used' ? 'Already used' : 'Expired';
  const newer = state === 'used' ? 'by a newer link' : 'a newer link was sent. Open the one in the newest mail';
  return new AppError('invalid', replaced ? `${text}: ${newer}` : text, { expression: 'id' });
}

/** Of several at once exactly one spends it; the others are told how it stands by then (400). */
export async function spendLink(w: Write, link: LinkRow): Promise<void> {
  const [won] = await w.tx
    .update(oneTimeLink)
    .set({ usedAt: new Date() })
    .where(
      and(
        eq(oneTimeLink.id, link.id),
        isNull(oneTimeLink.usedAt),
        isNull(oneTimeLink.supersededAt),
        gt(oneTimeLink.expiresAt, new Date()),
      ),
    )
    .returning({ id: oneTimeLink.id });
  if (won) return tellInvite(w, link);
  const [now] = await w.tx.select().from(oneTimeLink).where(eq(oneTimeLink.id, link.id));
  throw notOpen(now ? await readLinkState(w.tx, now) : { state: 'used' });
}
