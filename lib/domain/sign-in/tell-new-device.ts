import { env } from '#lib/base/env.ts';
import { queueMail } from '#lib/infra/mail/queue-mail.ts';
import type { LoginResult } from '#lib/protocol/answers/login.ts';
import type { Ctx } from '../access/context.ts';
import { findUserAnywhere } from '../accounts/find-user.ts';
import { write } from '../audit/write.ts';
import { takeRoom } from '../limits/throttle.ts';
import { nameAgent } from '../sessions/describe-agent.ts';

const DAY_SECONDS = 86_400;
/** A script that keeps no cookie comes in by a new browser each time. */
const MAILS_A_DAY = 5;

type Way = 'password' | 'passkey' | 'link';
type NewDevice = { userId: string; projectId: string | undefined; by: Way; result: LoginResult };

/**
 * Mails somebody that their password, passkey or mailbox was used in a browser that we had not seen with their account, whether or not it came further:
 * whoever is asked for the second step knows the first. Five times a day at most.
 */
export async function tellNewDevice(ctx: Ctx, { userId, projectId, by, result }: NewDevice): Promise<void> {
  const { count } = await takeRoom(`new-device:${userId}`, DAY_SECONDS, MAILS_A_DAY);
  if (count > MAILS_A_DAY) return;
  const user = await findUserAnywhere(userId, projectId);
  if (!user) return;
  const device = nameAgent(ctx.userAgent) || 'a program that does not say what it is';
  const params = {
    proof: by === 'link' ? 'link or code by e-mail' : by,
    device,
    address: ctx.remoteAddress || 'unknown',
    when: `${WHEN.format(new Date())} UTC`,
    rest: 'mfaRequired' in result ? ' The second step has not been shown yet.' : '',
    url: `${env().BASE_URL}/resetpassword`,
  };
  await write(ctx, async (w) => {
    w.audit({ projectId: user.scope, action: 'user.device.new', target: `User/${userId}`, after: { device } });
    if (!user.email) return;
    await queueMail(w.tx, { projectId: user.scope, template: 'new-device', recipient: user.email, params });
  });
}

const WHEN = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });
