import { setTimeout as setTimeoutPromise } from 'node:timers/promises';
import { env } from '#lib/base/env.ts';
import { AppError } from '#lib/base/errors.ts';
import { newId, newSecret } from '#lib/base/ids.ts';
import { pace } from '#lib/base/pace.ts';
import { hashSecret } from '#lib/infra/crypto/secret.ts';
import { db } from '#lib/infra/db/client.ts';
import { signInLink } from '#lib/infra/db/schema/sign-in-link.ts';
import { queueMail } from '#lib/infra/mail/queue-mail.ts';
import type { BegunByMail } from '#lib/protocol/answers/login.ts';
import type { MailLinkRequest } from '#lib/protocol/sign-in/requests.ts';
import type { Ctx } from '../access/context.ts';
import { write } from '../audit/write.ts';
import { networkOf } from '../limits/network-of.ts';
import { throttle } from '../limits/throttle.ts';
import { makeLinkCode } from '../links/link-code.ts';
import { type LoginRequestFields, projectOfRequest } from '../sign-in/create-login.ts';
import { findByAddress } from '../sign-in/find-by-address.ts';
import { findMemberships } from '../sign-in/find-memberships.ts';
import { isWay } from '../ways/way-of.ts';

const LIFETIME_MS = 10 * 60_000;
/** As for a new password. */
const MAILS_AN_ADDRESS = 5;
const MAILS_A_NETWORK = 30;

/**
 * Begins a sign-in by mail: one with a link and six digits, good once and for ten minutes, for who has a membership here that is entered by
 * link. The answer is the same for everybody, after the same while: what it names is kept also where nobody is mailed. Throws 429, and what
 * `projectOfRequest` does.
 */
export async function mailSignInLink(ctx: Ctx, input: MailLinkRequest): Promise<BegunByMail> {
  const evenly = setTimeoutPromise(pace.evenAnswerMs);
  try {
    return await begin(ctx, input);
  } finally {
    await evenly;
  }
}

async function begin(ctx: Ctx, { email, ...asked }: MailLinkRequest): Promise<BegunByMail> {
  const projectId = await projectOfRequest(ctx, asked);
  if (projectId === 'new')
    throw new AppError('invalid', 'A project is started with a password or a passkey', { expression: 'projectId' });
  await throttle(`sign-in-link-from:${networkOf(ctx.remoteAddress)}`, MAILS_A_NETWORK);
  await throttle(`sign-in-link:${email}`, MAILS_AN_ADDRESS);
  const fields: LoginRequestFields = { ...asked, projectId };
  const person = await findByAddress(projectId, email);
  const choices = person
    ? await findMemberships(person.userId, { projectId, profileType: asked.resourceType, projects: person.projects })
    : [];
  const [open] = choices.filter(({ ways }) => isWay('link', ways));
  const userId = open && person?.userId;
  const id = newId();
  const secret = newSecret();
  const { code, hash: codeHash } = makeLinkCode(id);
  const addressHash = hashSecret(email);
  const expiresAt = new Date(Date.now() + LIFETIME_MS);
  const row = {
    id,
    userId: userId ?? null,
    addressHash,
    secretHash: hashSecret(secret),
    codeHash,
    request: fields,
    expiresAt,
  };
  if (!userId) {
    await db().insert(signInLink).values(row);
    return { id };
  }
  // An app has the code: its own page is open, and nobody else has its verifier.
  const url = fields.clientId ? undefined : `${env().BASE_URL}/signin/link/${id}#${secret}`;
  await write(ctx, async (w) => {
    await w.tx.insert(signInLink).values(row);
    const params = { code, ...(url && { url }) };
    await queueMail(w.tx, { projectId: open.projectId, template: 'sign-in-link', recipient: email, params });
    w.audit({ projectId: open.projectId, action: 'user.link.request', target: `User/${userId}` });
  });
  return { id };
}
