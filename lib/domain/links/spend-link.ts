import { and, eq, gt, isNull } from 'drizzle-orm';
import { AppError } from '#lib/base/errors.ts';
import { oneTimeLink } from '#lib/infra/db/schema/identity.ts';
import type { Write } from '../access/context.ts';
import { type LinkRow, linkState } from './find-link.ts';

/** Throws 400 for a link that was used or has expired. */
export function requireOpenLink(link: LinkRow): void {
  const state = linkState(link);
  if (state !== 'open')
    throw new AppError('invalid', state === 'used' ? 'Already used' : 'Expired', { expression: 'id' });
}

/** Of several at once exactly one spends it; the others are told that it was used (400). */
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
  if (!won) throw new AppError('invalid', 'Already used', { expression: 'id' });
}
