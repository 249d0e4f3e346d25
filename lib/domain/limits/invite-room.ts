import { gathering } from '#lib/base/gathering.ts';
import { requireRoom, takeRoom } from './throttle.ts';

/** More than the largest hospital invites in a day, and less than a sender of spam would want. */
const INVITES_A_DAY = 10_000;
const DAY = 86_400;
const REFUSAL = 'This project has mailed 10,000 invitations within a day; go on tomorrow, or invite without mail';

/** Throws 429 when the project has mailed as many first invitations as it may in a day. Rows of a list that begin together ask once. */
export const requireInviteRoom = gathering((projectId: string, _all: 1[]) =>
  requireRoom(keyOf(projectId), INVITES_A_DAY, REFUSAL),
);

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
