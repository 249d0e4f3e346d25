import { env } from '#lib/base/env.ts';
import type { Queryable } from '#lib/infra/db/client.ts';
import { queueMail } from '#lib/infra/mail/queue-mail.ts';
import type { Project } from '#lib/protocol/fhir/types.ts';
import { momentOf } from '../access-requests/tell-requests.ts';
import { findUser } from '../accounts/find-user.ts';
import { toName } from '../people/tell-endings.ts';
import type { NewView } from '../views/view-rows.ts';

/** Whose eyes they are, where they have an address. Why stands on their Account page: it is somebody’s own words. */
export async function tellViewed(tx: Queryable, project: Project, view: NewView): Promise<void> {
  const { projectId, membershipId, userRef, viewerDisplay, endsAt } = view;
  const recipient = (await findUser(userRef.slice('User/'.length), projectId, tx))?.email;
  if (!recipient) return;
  const params = {
    who: toName(viewerDisplay),
    projectName: project.name ?? 'your project',
    when: momentOf(endsAt),
    url: `${env().BASE_URL}/account#views`,
  };
  await queueMail(tx, { projectId, template: 'viewed-as', recipient, membershipId, params });
}
