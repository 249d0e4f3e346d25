import { z } from 'zod';
import { countParam, cursorParam } from '../../requests/page.ts';
import { plainName } from '../../requests/plain-name.ts';
import { isAddress } from '../../sign-in/bounds.ts';
import { FEED_ANSWERS, MESSAGE_STATES } from './feed-answers.ts';

const MOST_ADDRESSES = 50;
const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';

/** As `openssl x509 -fingerprint -sha256` prints it, or without the colons. */
const fingerprint = z
  .string({ error: 'clientCertificate must be the SHA-256 fingerprint of a certificate' })
  .max(200)
  .transform((text) =>
    text
      .replace(/^sha256 fingerprint=/i, '')
      .replace(/[:\s]/g, '')
      .toLowerCase(),
  )
  .refine((text) => /^[0-9a-f]{64}$/.test(text), 'clientCertificate must be the SHA-256 fingerprint of a certificate');

const feed = {
  name: plainName('Name the feed', 80, 'At most 80 characters'),
  bot: z.strictObject(
    {
      reference: z
        .string({ error: 'bot.reference is required' })
        .regex(new RegExp(`^Bot/${UUID}$`, 'i'), 'bot.reference must be Bot/ and the id of a bot'),
      display: z.string().max(1000).optional(),
    },
    { error: 'bot must be a reference' },
  ),
  port: z.number({ error: 'port must be a number' }).int().min(1).max(65_535).nullable().default(null),
  tls: z.boolean({ error: 'tls must be true or false' }).default(false),
  clientCertificate: fingerprint.nullable().default(null),
  allowedAddress: z
    .array(
      z.string().trim().refine(isAddress, 'must be an IP address or a network like 203.0.113.0/24 or 2001:db8::/32'),
      { error: 'allowedAddress must be a list' },
    )
    .max(MOST_ADDRESSES, `At most ${MOST_ADDRESSES} addresses`)
    .default([]),
  answer: z.enum(FEED_ANSWERS, { error: `answer must be one of ${FEED_ANSWERS.join(', ')}` }).default('stored'),
  active: z.boolean({ error: 'active must be true or false' }).default(true),
};
const NO_OBJECT = { error: 'The body must be a JSON object' };

/** POST /admin/projects/{id}/hl7-feeds */
export const feedRequest = z.strictObject(feed, NO_OBJECT).superRefine(requireWay);
export type FeedRequest = z.output<typeof feedRequest>;

/** PUT …/{feedId}: the whole of a feed. `over`: its `version` as the caller has seen it: 412 where somebody has changed it since. */
export const feedChange = z
  .strictObject({ ...feed, over: z.string({ error: 'over must be a text' }).max(100).optional() }, NO_OBJECT)
  .superRefine(requireWay);
export type FeedChange = z.output<typeof feedChange>;

type Way = Pick<FeedRequest, 'port' | 'tls' | 'clientCertificate'>;

function requireWay({ port, tls, clientCertificate }: Way, context: z.RefinementCtx): void {
  const refuse = (name: string, message: string) => context.addIssue({ code: 'custom', path: [name], message });
  if (port === null && clientCertificate === null)
    refuse('port', 'A feed has a port of its own, or the certificate of its sender');
  if (clientCertificate !== null && !tls) refuse('tls', 'A certificate is shown by TLS: tls must be true');
}

/** GET …/{feedId}/messages */
export const messagesQuery = z.strictObject({
  state: z.enum(MESSAGE_STATES, { error: `state must be one of ${MESSAGE_STATES.join(', ')}` }).optional(),
  _count: countParam(),
  cursor: cursorParam,
});
export type MessagesQuery = z.output<typeof messagesQuery>;
