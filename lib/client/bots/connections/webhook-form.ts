import { PRESETS, type Preset, WEBHOOK_SIGNATURE } from '#lib/protocol/bots/webhook-signature.ts';
import type { Bot } from '#lib/protocol/fhir/types.ts';

/** `preset`: `none` takes what anybody sends. `tolerance`: seconds, empty for what is usual. */
export type WebhookForm = {
  open: boolean;
  preset: Preset | 'none';
  secret: string;
  header: string;
  tolerance: string;
  raw: boolean;
};

type Hooked = Pick<Bot, 'publicWebhook' | 'rawBody' | 'extension'>;

export function toWebhookForm({ publicWebhook = false, rawBody = false, extension = [] }: Hooked): WebhookForm {
  const parts = extension.find(({ url }) => url === WEBHOOK_SIGNATURE)?.extension ?? [];
  const of = (name: string) => parts.find(({ url }) => url === name);
  return {
    open: publicWebhook,
    preset: PRESETS.find((preset) => preset === of('preset')?.valueCode) ?? 'none',
    secret: of('secret')?.valueString ?? '',
    header: of('header')?.valueString ?? '',
    tolerance: String(of('tolerance')?.valueInteger ?? ''),
    raw: rawBody,
  };
}

/** Whether the name of the header is the form's to say. */
export function hasOwnHeader(preset: WebhookForm['preset']): boolean {
  return preset === 'hex' || preset === 'base64';
}

/** Whether what is needed of a signature is said. */
export function isSignatureWhole({ preset, secret, header }: WebhookForm): boolean {
  return preset === 'none' || (secret !== '' && (!hasOwnHeader(preset) || header.trim() !== ''));
}

/** The same as a Bot has it; what else that has stays. */
export function toWebhook(form: WebhookForm, { extension = [] }: Hooked): Hooked {
  const { open, preset, secret, header, tolerance, raw } = form;
  const others = extension.filter(({ url }) => url !== WEBHOOK_SIGNATURE);
  const signature = {
    url: WEBHOOK_SIGNATURE,
    extension: [
      { url: 'preset', valueCode: preset },
      { url: 'secret', valueString: secret },
      ...(hasOwnHeader(preset) ? [{ url: 'header', valueString: header.trim() }] : []),
      ...(tolerance.trim() ? [{ url: 'tolerance', valueInteger: Number(tolerance) }] : []),
    ],
  };
  const all = preset === 'none' || !isSignatureWhole(form) ? others : [...others, signature];
  return {
    publicWebhook: open || undefined,
    rawBody: raw || undefined,
    extension: all.length > 0 ? all : undefined,
  };
}
