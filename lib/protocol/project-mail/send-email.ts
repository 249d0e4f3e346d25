import { z } from 'zod';
import { anyAddresses, someAddresses } from './addresses.ts';
import { someAttachments } from './attachments.ts';

const MOST_TEXT = 512 * 1024;

/** Who would say another is told what there is, not only that the field is unknown: bots of the peer say one, which takes those it has approved. */
const notSaid = z.never({ error: "The sender is the server's own: say replyTo, where answers go" }).optional();

/** POST /email/v1/send: nodemailer's names, as the peer takes them; what is not here is refused by name. The sender is the server's. */
export const sendEmailRequest = z
  .strictObject({
    from: notSaid,
    sender: notSaid,
    to: someAddresses,
    cc: anyAddresses,
    bcc: anyAddresses,
    replyTo: anyAddresses,
    subject: z
      .string()
      .min(1)
      .max(998)
      .regex(/^[^\r\n]*$/, 'A subject is one line'),
    text: z.string().max(MOST_TEXT).optional(),
    html: z.string().max(MOST_TEXT).optional(),
    attachments: someAttachments.optional(),
  })
  .refine(({ text, html }) => text !== undefined || html !== undefined, {
    error: 'text or html is required',
    path: ['text'],
  });
export type SendEmailRequest = z.output<typeof sendEmailRequest>;
