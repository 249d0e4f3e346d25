import { AppError } from '#lib/base/errors.ts';

/** On a Bot: how senders of its webhook sign. With `preset`, `secret` (the name of a project secret), and where they are not the preset's `header` and `tolerance`. */
export const WEBHOOK_SIGNATURE = 'urn:gatehouse:bot-webhook-signature';

export const PRESETS = ['github', 'stripe', 'slack', 'shopify', 'standard-webhooks', 'hex', 'base64'] as const;
export type Preset = (typeof PRESETS)[number];

/** `header`: of `hex` and `base64` alone, in small letters. `toleranceSeconds`: how old what is signed may be, where the sender says when that was. */
export type WebhookSignature = { preset: Preset; secret: string; header: string | undefined; toleranceSeconds: number };

type Part = { url?: string; valueCode?: unknown; valueString?: unknown; valueInteger?: unknown };
type Signed = { resourceType: 'Bot'; extension?: (Part & { extension?: Part[] })[] };

const TOLERANCE = 300;
const MOST_TOLERANCE = 3600;
const NAME = /^[A-Za-z_][A-Za-z0-9_.-]{0,127}$/;

/** Undefined for a Bot that says nothing of it. Throws 422 with the element that cannot be honoured. */
export function readWebhookSignature({ extension = [] }: Signed): WebhookSignature | undefined {
  const at = extension.findIndex(({ url }) => url === WEBHOOK_SIGNATURE);
  if (at < 0) return undefined;
  const refused = (text: string) => new AppError('business-rule', text, { expression: `Bot.extension[${at}]` });
  const parts = extension[at]?.extension ?? [];
  if (extension.filter(({ url }) => url === WEBHOOK_SIGNATURE).length > 1) throw refused('It stands twice');
  const other = parts.find(({ url = '' }) => !['preset', 'secret', 'header', 'tolerance'].includes(url));
  if (other) throw refused(`${other.url} is not supported: preset, secret, header and tolerance are`);
  const of = (name: string) => parts.find(({ url }) => url === name);
  const preset = PRESETS.find((name) => name === of('preset')?.valueCode);
  if (!preset) throw refused(`preset is a valueCode: one of ${PRESETS.join(', ')}`);
  const secret = of('secret')?.valueString;
  if (typeof secret !== 'string' || !NAME.test(secret))
    throw refused('secret is a valueString: the name of a project secret');
  const header = of('header')?.valueString;
  const isPlain = preset === 'hex' || preset === 'base64';
  if (isPlain ? typeof header !== 'string' || !/^[A-Za-z0-9-]{1,100}$/.test(header) : header !== undefined)
    throw refused('header is a valueString with the name of a header, for hex and base64, and for these alone');
  const tolerance = of('tolerance')?.valueInteger ?? TOLERANCE;
  if (!Number.isInteger(tolerance) || Number(tolerance) < 1 || Number(tolerance) > MOST_TOLERANCE)
    throw refused(`tolerance is a valueInteger of 1 to ${MOST_TOLERANCE} seconds`);
  return { preset, secret, header: (header as string | undefined)?.toLowerCase(), toleranceSeconds: Number(tolerance) };
}
