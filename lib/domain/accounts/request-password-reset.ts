import { setTimeout as setTimeoutPromise } from 'node:timers/promises';
import { isUuid, SERVER_SCOPE } from '#lib/base/ids.ts';
import { pace } from '#lib/base/pace.ts';
import { db } from '#lib/infra/db/client.ts';
import { queueMail } from '#lib/infra/mail/queue-mail.ts';
import type { Ctx } from '../access/context.ts';
import { write } from '../audit/write.ts';
import { networkOf } from '../limits/network-of.ts';
import { throttle } from '../limits/throttle.ts';
import { createLink, type LinkInput } from '../links/create-link.ts';
import { createMailedLink } from '../links/create-mailed-link.ts';
import { findUserByEmail } from './find-user.ts';

type ResetInput = { email: string; projectId?: string; sendEmail?: boolean };

/** Mails a one-hour link when the address is known. Says nothing either way, so that nobody can ask who has an account. */
export async function requestPasswordReset(ctx: Ctx, input: ResetInput): Promise<void> {
  // An address that is known costs a transaction: both answers wait for the same moment.
  const evenly = setTimeoutPromise(pace.evenAnswerMs);
  try {
    await mailLink(ctx, input);
  } finally {
    await evenly;
  }
}

async function mailLink(ctx: Ctx, input: ResetInput): Promise<void> {
  await throttle(`reset-from:${networkOf(ctx.remoteAddress)}`, 30);
  await throttle(`reset:${input.email}`, 5);
  const scoped = isUuid(input.projectId) ? await findUserByEmail(db(), input.projectId, input.email) : undefined;
  const userId = scoped ?? (await findUserByEmail(db(), SERVER_SCOPE, input.email));
  if (!userId) return;
  const projectId = scoped && input.projectId ? input.projectId : SERVER_SCOPE;
  await write(ctx, async (w) => {
    w.audit({ projectId, action: 'user.password.request', target: `User/${userId}` });
    const link: LinkInput = { kind: 'reset', userId, ...(scoped ? { projectId } : {}) };
    if (input.sendEmail === false) {
      await createLink(w, link, { beside: true });
      return;
    }
    const { url, code } = await createMailedLink(w, link);
    await queueMail(w.tx, { projectId, template: 'reset', recipient: input.email, params: { url, code } });
  });
}
