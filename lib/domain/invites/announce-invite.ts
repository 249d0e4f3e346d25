import { env } from '#lib/base/env.ts';
import { queueMail } from '#lib/infra/mail/queue-mail.ts';
import type { Project } from '#lib/protocol/fhir/types.ts';
import type { Actor, Write } from '../access/context.ts';
import { createLink } from '../links/create-link.ts';
import { hasAccepted } from './has-accepted.ts';

export type Announcement = {
  projectId: string;
  project: Project;
  membershipId: string;
  user: { id: string; firstName: string; email?: string };
  mail: boolean;
  /** The administrator is told the link, to pass it on. */
  handOver?: boolean;
};

/**
 * Tells a person of a membership, in its transaction: without a password yet by a link to set one (which is made in any case, and ends
 * older ones), else by "you have been added". Returns the link's URL when there is one.
 */
export async function announceInvite(w: Write, actor: Actor, input: Announcement): Promise<string | undefined> {
  const { projectId, project, membershipId, user, handOver } = input;
  const accepted = await hasAccepted(w.tx, projectId, membershipId);
  const link = accepted
    ? undefined
    : await createLink(w, {
        kind: 'invite',
        userId: user.id,
        projectId,
        membershipId,
        ...(handOver && { handedAt: new Date() }),
      });
  if (input.mail && user.email) {
    await queueMail(w.tx, {
      projectId,
      template: link ? 'invite' : 'added',
      recipient: user.email,
      membershipId,
      params: {
        projectName: project.name ?? 'a project',
        inviterName: actor.profileDisplay ?? 'An administrator',
        firstName: user.firstName,
        ...(link ? { url: link.url, code: link.code } : { url: `${env().BASE_URL}/signin` }),
      },
    });
  }
  return link?.url;
}
