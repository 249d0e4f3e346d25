import { gathering } from '#lib/base/gathering.ts';
import type { Queryable } from '#lib/infra/db/client.ts';
import { requireRoom, takeRoom } from './throttle.ts';

/** More than the largest hospital invites in a day, and less than a sender of spam would want. */
const INVITES_A_DAY = 10_000;
const DAY = 86_400;
const REFUSAL = 'This project has mailed 10,000 invitations within a day; go on tomorrow, or invite without mail';

/** Throws 429 when the project has mailed as many first invitations as it may in a day. */
export async function requireInviteRoom(q: Queryable, projectId: string): Promise<void> {
  const refusal = (await refusals(q, projectId)).get(projectId);
  if (refusal) throw refusal;
}

/** Rows of a list that begin together ask once. */
const refusals = gathering(async (q: Queryable, projectIds: string[]) => {
  const found = new Map<string, unknown>();
  const ask = (id: string) => requireRoom(q, keyOf(id), INVITES_A_DAY, REFUSAL).catch((error) => found.set(id, error));
  await Promise.all([...new Set(projectIds)].map(ask));
  return found;
});

/**
 * Counts one that is on its way: after its commit, so that a rehearsal counts nothing. Those of a tenth of a second are counted at once: each by
 * itself would be a commit more for every row of a list.
 */
export const takeInviteRoom = gathering(
  async (projectId: string, all: 1[]) => {
    await takeRoom(keyOf(projectId), DAY, undefined, all.length);
  },
  { forMs: 100 },
);

function keyOf(projectId: string): string {
  return `invites:${projectId}`;
}
