import { SERVER_SCOPE } from '#lib/base/ids.ts';
import type { Project, Stored, User } from '#lib/protocol/fhir/types.ts';
import type { Actor, Write } from '../access/context.ts';
import { announceInvite } from '../invites/announce-invite.ts';
import { placeInvites, type UnsentInvite } from '../links/place-invites.ts';
import { type ArrivedMember, type AskedAnew, listArrived } from '../memberships/arrival/place-keys.ts';
import { findRow } from '../store/find-row.ts';
import { toResource } from '../store/row.ts';

const PAGE = 500;
/** Enough to go on with. */
const MOST_MAILED = 50;

type Arrived = { projectId: string; project: Project; asked: AskedAnew };

/**
 * Everybody who came with a project is invited: administrators by mail, the first fifty, when it is open; all others stand as invited until an
 * administrator mails them. Returns how many were mailed.
 */
export async function inviteArrived(w: Write, actor: Actor, arrived: Arrived): Promise<number> {
  const { projectId, project, asked } = arrived;
  let mailed = 0;
  let after = SERVER_SCOPE;
  while (true) {
    const members = await listArrived(w.tx, projectId, after, PAGE);
    const unsent: UnsentInvite[] = [];
    for (const member of members) {
      const { id: membershipId, user: userId } = member;
      const isMailed = member.admin && project.active !== false && mailed < MOST_MAILED;
      const user = isMailed ? await findPerson(w, projectId, member) : undefined;
      if (user?.email) {
        const of = { projectId, project, membershipId, user: { ...user, email: user.email } };
        await announceInvite(w, actor, { ...of, mail: true, isNew: true, noted: asked.at });
        mailed += 1;
      } else unsent.push({ userId, membershipId });
    }
    await placeInvites(w.tx, projectId, asked.at, unsent);
    const last = members.at(-1);
    if (!last || members.length < PAGE) return mailed;
    after = last.id;
  }
}

async function findPerson(w: Write, projectId: string, { user }: ArrivedMember): Promise<Stored<User> | undefined> {
  const row = await findRow(projectId, 'User', user, w.tx);
  return row && !row.deleted ? toResource<Stored<User>>(row) : undefined;
}
