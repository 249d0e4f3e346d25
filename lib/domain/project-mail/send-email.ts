import { AppError } from '#lib/base/errors.ts';
import { queueMessage } from '#lib/infra/mail/queue-mail.ts';
import type { SendEmailRequest } from '#lib/protocol/project-mail/send-email.ts';
import { type Ctx, requireActor } from '../access/context.ts';
import { write } from '../audit/write.ts';
import { throttle } from '../limits/throttle.ts';
import { attach } from './attach.ts';

const MOST_AN_HOUR = 200;
const HOUR_SECONDS = 3600;

/**
 * A mail that a bot or an administrator of the project writes; it leaves after the answer. Throws 403 for everybody else, and 429 past two
 * hundred in an hour for the project: whom it reaches knows the server's name, not the project's.
 */
export async function sendEmail(ctx: Ctx, message: SendEmailRequest): Promise<void> {
  const { projectId, admin, user } = requireActor(ctx);
  if (!admin && !user.startsWith('Bot/')) throw new AppError('forbidden', 'Forbidden');
  const attachments = message.attachments && (await attach(ctx, message.attachments));
  // What is refused is none that is sent.
  const refusal = `A project sends at most ${MOST_AN_HOUR} mails in an hour`;
  await throttle(`project-mail:${projectId}`, MOST_AN_HOUR, { windowSeconds: HOUR_SECONDS, refusal });
  await write(ctx, async (w) => {
    const mailId = await queueMessage(w.tx, projectId, { ...message, attachments });
    // Of what it says nothing, and of to whom how many.
    const { to, cc = [], bcc = [] } = message;
    const after = { recipients: to.length + cc.length + bcc.length, attachments: attachments?.length ?? 0 };
    w.audit({ projectId, action: 'mail.send', target: `Mail/${mailId}`, after });
  });
}
