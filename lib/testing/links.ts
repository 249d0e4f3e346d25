import { desc, eq } from 'drizzle-orm';
import { SERVER_SCOPE } from '#lib/base/ids.ts';
import { write } from '#lib/domain/audit/write.ts';
import { createLink, type LinkInput } from '#lib/domain/links/create-link.ts';
import { unseal } from '#lib/infra/crypto/seal.ts';
import { mail } from '#lib/infra/db/schema/operations.ts';
import { CTX } from './people.ts';
import { db } from './set-up/own-db.ts';

export type SentLink = { id: string; secret: string };

/** A one-time link as an invite or a reset makes it, without its mail. */
export function makeLink(input: LinkInput): Promise<SentLink> {
  return write(CTX, async (w) => {
    w.audit({
      projectId: input.projectId ?? SERVER_SCOPE,
      action: 'user.password.request',
      target: `User/${input.userId}`,
    });
    const { id, secret } = await createLink(w, input);
    return { id, secret };
  });
}

/** The mails that wait for this address, newest first, with what they will say. */
export async function waitingMail(recipient: string): Promise<{ template: string; params: Record<string, string> }[]> {
  const rows = await db().select().from(mail).where(eq(mail.recipient, recipient)).orderBy(desc(mail.createdAt));
  return rows.map((row) => ({ template: row.template, params: JSON.parse(unseal('mail', row.paramsSealed ?? '')) }));
}

/** The link in a mail. The secret stands in the fragment. */
export function toLink(url: string | undefined): SentLink {
  const { pathname, hash } = new URL(url ?? '');
  return { id: pathname.split('/').at(-1) ?? '', secret: hash.slice(1) };
}
