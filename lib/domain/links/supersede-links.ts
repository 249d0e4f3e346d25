import { and, eq, inArray, isNotNull, isNull, type SQL, sql } from 'drizzle-orm';
import { oneTimeLink } from '#lib/infra/db/schema/login.ts';
import type { LinkKind } from '#lib/protocol/answers/link.ts';
import type { Write } from '../access/context.ts';
import { tellInvite } from './tell-invite.ts';

/** Which unspent links: of a person (there, when a project is named), or of a membership; of these kinds; only those handed over. */
export type LinksOf = (
  | { userId: string; projectId?: string; membershipId?: undefined }
  | { projectId: string; membershipId: string; userId?: undefined }
) & { kinds?: LinkKind[]; handed?: boolean };

/**
 * From the commit on these links are expired. `revoked`: an administrator takes the invitation back, also where a newer link stands. Returns when the
 * newest of them was made.
 */
export async function supersedeLinks(w: Write, which: LinksOf, { revoked = false } = {}): Promise<Date | undefined> {
  const now = new Date();
  const { kind, projectId, membershipId, createdAt } = oneTimeLink;
  const ended = await w.tx
    .update(oneTimeLink)
    .set({
      supersededAt: sql`coalesce(${oneTimeLink.supersededAt}, ${now.toISOString()}::timestamptz)`,
      ...(revoked && { revokedAt: now }),
    })
    .where(and(isOf(which), isNull(oneTimeLink.usedAt), revoked ? undefined : isNull(oneTimeLink.supersededAt)))
    .returning({ kind, projectId, membershipId, createdAt });
  for (const link of ended) tellInvite(w, link);
  const times = ended.map((link) => link.createdAt.getTime());
  return times.length > 0 ? new Date(Math.max(...times)) : undefined;
}

function isOf({ userId, projectId, membershipId, kinds, handed }: LinksOf): SQL | undefined {
  return and(
    userId === undefined ? undefined : eq(oneTimeLink.userId, userId),
    projectId === undefined ? undefined : eq(oneTimeLink.projectId, projectId),
    membershipId === undefined ? undefined : eq(oneTimeLink.membershipId, membershipId),
    kinds && inArray(oneTimeLink.kind, kinds),
    handed ? isNotNull(oneTimeLink.handedAt) : undefined,
  );
}
