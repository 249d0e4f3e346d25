import { z } from 'zod';

const MOST_RECIPIENTS = 50;
const MOST_TEXT = 512 * 1024;
/** Of all attachments, in base64: a mail is a row of the database until it is out. */
const MOST_ATTACHED = 2 * 1024 * 1024;

const address = z.union([
  z.string().trim().max(320).pipe(z.email()),
  z
    .strictObject({
      name: z
        .string()
        .max(200)
        .regex(/^[^\r\n<>"]*$/),
      address: z.string().trim().max(320).pipe(z.email()),
    })
    .transform(({ name, address }) => (name ? `"${name}" <${address}>` : address)),
]);
const addresses = z
  .union([address.transform((one) => [one]), z.array(address).min(1)])
  .refine((all) => all.length <= MOST_RECIPIENTS, `At most ${MOST_RECIPIENTS} addresses`);

const attachment = z
  .strictObject({
    filename: z
      .string()
      .min(1)
      .max(255)
      .regex(/^[^\r\n/\\]+$/),
    content: z.string(),
    encoding: z.enum(['base64', 'utf-8', 'utf8']).optional(),
    contentType: z
      .string()
      .max(255)
      .regex(/^[\w.+-]+\/[\w.+-]+/)
      .optional(),
  })
  .transform(({ filename, content, encoding, contentType }) => ({
    filename,
    content: encoding === 'base64' ? content : Buffer.from(content).toString('base64'),
    ...(contentType && { contentType }),
  }));

/** POST /email/v1/send: nodemailer's names, as the peer takes them; what is not here is refused by name. The sender is the server's. */
export const sendEmailRequest = z
  .strictObject({
    to: addresses,
    cc: addresses.optional(),
    bcc: addresses.optional(),
    replyTo: address.optional(),
    subject: z
      .string()
      .min(1)
      .max(998)
      .regex(/^[^\r\n]*$/, 'A subject is one line'),
    text: z.string().max(MOST_TEXT).optional(),
    html: z.string().max(MOST_TEXT).optional(),
    attachments: z.array(attachment).max(20).optional(),
  })
  .refine(({ text, html }) => text !== undefined || html !== undefined, {
    error: 'text or html is required',
    path: ['text'],
  })
  .refine(
    ({ attachments = [] }) => attachments.reduce((sum, { content }) => sum + content.length, 0) <= MOST_ATTACHED,
    { error: 'All attachments together have at most 1.5 MiB', path: ['attachments'] },
  );
export type SendEmailRequest = z.output<typeof sendEmailRequest>;
