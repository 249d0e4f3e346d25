import { newId } from '#lib/base/ids.ts';
import type { Write } from '../access/context.ts';
import { createLink, type Link, type LinkInput, type LinkOptions } from './create-link.ts';
import { makeLinkCode } from './link-code.ts';

export type MailedLink = Link & {
  /** Six digits: what a person types who cannot open the link (`redeemLinkCode`). */
  code: string;
};

/**
 * A link for a mail, with its code. Only what is mailed has one: six digits can be guessed, and who is mailed knows that somebody asked. The
 * code of any earlier mail to the same person is worth nothing from here on; its link goes on working.
 */
export async function createMailedLink(w: Write, input: LinkInput, options?: LinkOptions): Promise<MailedLink> {
  const id = newId();
  const { code, hash: codeHash } = makeLinkCode(id);
  return { ...(await createLink(w, { ...input, coded: { id, codeHash } }, options)), code };
}
