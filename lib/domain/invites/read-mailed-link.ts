import { db } from '#lib/infra/db/client.ts';
import type { LinkInfo } from '#lib/protocol/answers/link.ts';
import { readLink } from '../accounts/read-link.ts';
import { requireLink } from '../links/find-link.ts';
import { findWays } from '../ways/find-ways.ts';

/** POST /auth/link: what a link is for, and of an invitation by which ways its membership is entered. Throws 404 and 400 as `requireLink` does. */
export async function readMailedLink(id: string, secret: string): Promise<LinkInfo> {
  const info = await readLink(id, secret);
  if (info.type !== 'invite') return info;
  const { projectId, membershipId } = await requireLink(db(), id, secret);
  if (!projectId || !membershipId) return info;
  return { ...info, ways: await findWays(db(), { projectId, membershipId, email: info.email }) };
}
