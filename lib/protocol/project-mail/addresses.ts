import { z } from 'zod';

const MOST_RECIPIENTS = 50;
/** Of all texts that name somebody in a field, together. */
const MOST_TEXT = 32 * 1024;
/** Of a list, with those that name nobody. */
const MOST_ENTRIES = 200;

type Mailbox = { name: string; address: string };

/** What ends at a comma or semicolon: `"Name" <a@b>`, `Name <a@b>`, `a@b` or nothing. Looks at each character a few times at most. */
const PIECE = /(?:\s*"((?:[^"\\]|\\.)*)"\s*|([^"<>,;]*))<([^<>]*)>\s*(?:[,;]|$)|([^"<>,;]*)(?:[,;]|$)/sy;

/** Several in one text, as a header has them (RFC 5322 §3.4) and nodemailer reads them; undefined for what is none. */
function readList(text: string): Mailbox[] | undefined {
  const found: Mailbox[] = [];
  PIECE.lastIndex = 0;
  while (PIECE.lastIndex < text.length) {
    const piece = PIECE.exec(text);
    if (!piece) return undefined;
    const [, quoted, words, angled, bare = ''] = piece;
    const address = (angled ?? bare).trim();
    const name = quoted === undefined ? (words ?? '').trim() : quoted.replace(/\\(.)/gs, '$1');
    if (address !== '' || angled !== undefined) found.push({ name, address });
  }
  return found;
}

/** Of a name what no reader of the header takes for something else, however it reads quotes. */
const mailbox = z
  .strictObject({
    name: z
      .string()
      .trim()
      .max(200)
      .regex(/^[^\p{Cc}<>"\\]*$/u)
      .nullish(),
    address: z.string().trim().max(320).pipe(z.email()),
  })
  .transform(({ name, address }) => (name ? `"${name}" <${address}>` : address));

const HOW = 'An address is "a@example.com", "Name <a@example.com>" or { name, address }; a name has none of < > " \\';

/** As nodemailer takes them: a text with one or more, an object, or a list of such; what is empty names nobody. */
const addresses = z.unknown().transform((given, ctx): string[] => {
  const all: string[] = [];
  const list: unknown[] = [given].flat();
  const length = list.reduce<number>((sum, one) => sum + (typeof one === 'string' ? one.length : 0), 0);
  if (list.length > MOST_ENTRIES || length > MOST_TEXT) {
    const message = list.length > MOST_ENTRIES ? `At most ${MOST_RECIPIENTS} addresses` : HOW;
    ctx.addIssue({ code: 'custom', message });
    return z.NEVER;
  }
  for (const [at, one] of list.entries()) {
    const found = mailboxes(one);
    // The first that is wrong is told: of a long list each would take its time.
    if (!found) {
      ctx.addIssue({ code: 'custom', message: HOW, path: Array.isArray(given) ? [at] : [] });
      return z.NEVER;
    }
    all.push(...found);
    if (all.length <= MOST_RECIPIENTS) continue;
    ctx.addIssue({ code: 'custom', message: `At most ${MOST_RECIPIENTS} addresses` });
    return z.NEVER;
  }
  return all;
});

function mailboxes(given: unknown): string[] | undefined {
  if (given === undefined || given === null) return [];
  const read = z.array(mailbox).safeParse(typeof given === 'string' ? readList(given) : [given]);
  return read.data;
}

export const someAddresses = addresses.refine((all) => all.length > 0, 'An address is required');
export const anyAddresses = addresses.transform((all) => (all.length > 0 ? all : undefined)).optional();
