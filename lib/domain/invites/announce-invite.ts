import { env } from '#lib/base/env.ts';
import { queueMail } from '#lib/infra/mail/queue-mail.ts';
import type { Project, ProjectMembership } from '#lib/protocol/fhir/types.ts';
import { tellWays } from '#lib/protocol/sign-in/ways.ts';
import type { Actor, Write } from '../access/context.ts';
import { createLink, type LinkInput } from '../links/create-link.ts';
import { createMailedLink } from '../links/create-mailed-link.ts';
import { findWays } from '../ways/find-ways.ts';
import { hasAccepted } from './has-accepted.ts';

export type Announcement = {
  projectId: string;
  project: Project;
  membershipId: string;
  /** As it will be, where it may not be stored yet. */
  membership?: Pick<ProjectMembership, 'admin' | 'signInWays' | 'profile'>;
  user: { id: string; firstName: string; email?: string };
  mail: boolean;
  /** The account was made just now, without a password: nothing has to be asked of it. */
  isNew?: boolean;
  /** Of such a one: when the membership was stored, as invited then. */
  noted?: Date;
  /** Whether they can enter by the membership, where that is told by less than is stored. */
  canEnter?: () => Promise<boolean>;
  /** The administrator is told the link, to pass it on. */
  handOver?: boolean;
};

/**
 * Tells a person of a membership, in its transaction: without a password yet by a link to set one (which is made in any case, and ends
 * older ones), else by "you have been added". Returns the link's URL when there is one.
 */
export async function announceInvite(w: Write, actor: Actor, input: Announcement): Promise<string | undefined> {
  const { projectId, project, membershipId, membership, user, handOver } = input;
  const { canEnter = () => hasAccepted(w.tx, projectId, membershipId) } = input;
  const accepted = !input.isNew && (await canEnter());
  const link: LinkInput = { kind: 'invite', userId: user.id, projectId, membershipId };
  const options = { beside: input.isNew, noted: input.noted };
  const recipient = input.mail ? user.email : undefined;
  if (recipient === undefined) {
    if (accepted) return undefined;
    const { url } = await createLink(w, { ...link, ...(handOver && { handedAt: new Date() }) }, options);
    return url;
  }
  const mailed = accepted ? undefined : await createMailedLink(w, link, options);
  if (!input.noted) w.stands({ projectId, membershipId });
  const ways = await findWays(w.tx, { projectId, membershipId, email: recipient, membership });
  await queueMail(w.tx, {
    projectId,
    template: mailed ? 'invite' : 'added',
    recipient,
    membershipId,
    params: {
      projectName: project.name ?? 'a project',
      inviterName: actor.profileDisplay ?? 'An administrator',
      firstName: user.firstName,
      ...(!ways.includes('password') && { how: `You sign in there with ${tellWays(ways)}.` }),
      ...(mailed ? { url: mailed.url, code: mailed.code } : { url: `${env().BASE_URL}/signin` }),
    },
  });
  return mailed?.url;
}
