import { createHmac, timingSafeEqual } from 'node:crypto';
import { AppError } from '#lib/base/errors.ts';
import { readWebhookSignature, type WebhookSignature } from '#lib/protocol/bots/webhook-signature.ts';
import type { LoadedBot } from './load-bot.ts';

type Sent = { headers: Headers; body: Uint8Array };
type Claim = {
  /** What is signed, in parts. */
  signed: (string | Uint8Array)[];
  encoding: 'hex' | 'base64';
  /** One of these is the signature: senders who change their secret send two. */
  signatures: string[];
  /** Seconds since 1970, where the sender says when it signed. */
  at?: number;
  /** What the sender calls the delivery, where that is signed, too. */
  id?: () => string | undefined;
};

/** By which a delivery is known when it comes again; `keptMs`: for how long, where not for a day. */
export type DeliveryName = { name: string; keptMs?: number };

/** Of one header. */
const MOST_SIGNATURES = 10;

/**
 * Throws 401 unless what was sent is signed as the bot says that its senders do, by the bytes as they came. Whoever signed, and why it does not fit, nobody is
 * told. A bot that says nothing of it takes what anybody sends. Resolves to what the delivery is known by.
 */
export function verifyWebhook({ resource, secrets }: LoadedBot, sent: Sent): DeliveryName | undefined {
  const signature = readWebhookSignature(resource);
  if (!signature) return undefined;
  const secret = secrets[signature.secret]?.valueString;
  const claim = READ[signature.preset](sent, signature);
  if (secret === undefined || !claim || !isFresh(claim, signature)) throw unsigned();
  const keys = signature.preset === 'standard-webhooks' ? keysOfStandard(secret) : [secret];
  const given = claim.signatures.slice(0, MOST_SIGNATURES).map((text) => Buffer.from(text, claim.encoding));
  // Anybody signs with a key of no bytes.
  const [expected] = keys
    .filter((key) => key.length > 0)
    .map((key) => sign(key, claim))
    .filter((digest) => given.filter((one) => one.length === digest.length && timingSafeEqual(one, digest)).length > 0);
  if (!expected) throw unsigned();
  const id = claim.id?.();
  if (id) return { name: `id ${id}` };
  const name = `signature ${expected.toString('hex')}`;
  // What has neither a name nor a time may be sent once more and mean it.
  return claim.at === undefined ? { name, keptMs: signature.toleranceSeconds * 1000 } : { name };
}

/** Of each preset, what its sender's documents say. */
const READ: Record<WebhookSignature['preset'], (sent: Sent, is: WebhookSignature) => Claim | undefined> = {
  github: ({ headers, body }) => plain(body, 'hex', headers.get('x-hub-signature-256')?.match(/^sha256=(.+)$/)?.[1]),
  shopify: ({ headers, body }) => plain(body, 'base64', headers.get('x-shopify-hmac-sha256')),
  hex: ({ headers, body }, { header = '' }) => plain(body, 'hex', headers.get(header)?.replace(/^sha256=/, '')),
  base64: ({ headers, body }, { header = '' }) => plain(body, 'base64', headers.get(header)),
  stripe: ({ headers, body }) => {
    const parts = (headers.get('stripe-signature') ?? '').split(',').map((part) => part.trim().split('='));
    const of = (name: string) => parts.flatMap(([key, value]) => (key === name && value ? [value] : []));
    const [at] = of('t');
    return at === undefined
      ? undefined
      : {
          signed: [`${at}.`, body],
          encoding: 'hex',
          signatures: of('v1'),
          at: Number(at),
          id: () => wordIn(body, 'id'),
        };
  },
  slack: ({ headers, body }) => {
    const at = headers.get('x-slack-request-timestamp');
    const signature = headers.get('x-slack-signature')?.match(/^v0=(.+)$/)?.[1];
    if (!at || !signature) return undefined;
    return {
      signed: [`v0:${at}:`, body],
      encoding: 'hex',
      signatures: [signature],
      at: Number(at),
      id: () => wordIn(body, 'event_id'),
    };
  },
  'standard-webhooks': ({ headers, body }) => {
    const [id, at] = [headers.get('webhook-id'), headers.get('webhook-timestamp')];
    const given = (headers.get('webhook-signature') ?? '').split(' ');
    const signatures = given.flatMap((one) => (one.startsWith('v1,') ? [one.slice(3)] : []));
    if (!id || !at) return undefined;
    return { signed: [`${id}.${at}.`, body], encoding: 'base64', signatures, at: Number(at), id: () => id };
  },
};

/** Of a body that has more, the signature is the name: it is not parsed twice. */
const MOST_NAMED_BYTES = 256 * 1024;

/** What stands at the top of a JSON body under this name. */
function wordIn(body: Uint8Array, name: string): string | undefined {
  if (body.length > MOST_NAMED_BYTES) return undefined;
  try {
    const word: unknown = JSON.parse(Buffer.from(body).toString())?.[name];
    return typeof word === 'string' ? word : undefined;
  } catch {
    return undefined;
  }
}

function plain(body: Uint8Array, encoding: Claim['encoding'], signature: string | null | undefined): Claim | undefined {
  return signature ? { signed: [body], encoding, signatures: [signature] } : undefined;
}

function isFresh({ at }: Claim, { toleranceSeconds }: WebhookSignature): boolean {
  return at === undefined || Math.abs(Date.now() / 1000 - at) <= toleranceSeconds;
}

function sign(key: Buffer | string, { signed }: Claim): Buffer {
  const hmac = createHmac('sha256', key);
  for (const part of signed) hmac.update(part);
  return hmac.digest();
}

/** `whsec_` and base64 of the key (Standard Webhooks, "Signature scheme"); without that the specification's libraries take it for base64 all the same, and some senders sign with the text. */
function keysOfStandard(secret: string): (Buffer | string)[] {
  if (secret.startsWith('whsec_')) return [Buffer.from(secret.slice('whsec_'.length), 'base64')];
  const decoded = Buffer.from(secret, 'base64');
  return decoded.toString('base64') === secret ? [decoded, secret] : [secret];
}

export function unsigned(): AppError {
  return new AppError('unauthorized', 'The signature is missing, wrong or too old');
}
