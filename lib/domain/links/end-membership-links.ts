import { and, eq } from 'drizzle-orm';
import { oneTimeLink } from '#lib/infra/db/schema/login.ts';
import type { Write } from '../access/context.ts';
import { supersedeLinks } from './supersede-links.ts';

export type LinksOfMembership = { projectId: string; membershipId: string };

/** A membership has ended: nothing that it was invited by is spent any more, and none of it is told for good. */
export async function endMembershipLinks(w: Write, of: LinksOfMembership): Promise<void> {
  await supersedeLinks(w, of);
  await note(w, of, new Date());
}

/** It is back. */
export async function keepMembershipLinks(w: Write, of: LinksOfMembership): Promise<void> {
  await note(w, of, null);
}

async function note(w: Write, { projectId, membershipId }: LinksOfMembership, membershipEndedAt: Date | null) {
  const here = and(eq(oneTimeLink.projectId, projectId), eq(oneTimeLink.membershipId, membershipId));
  await w.tx.update(oneTimeLink).set({ membershipEndedAt }).where(here);
}
