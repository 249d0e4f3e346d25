import { z } from 'zod';
import type { ClientApplication } from '#lib/protocol/fhir/client-types.ts';
import { createClientRequest } from '#lib/protocol/requests/create-client.ts';
import { isAddress } from '#lib/protocol/sign-in/bounds.ts';

/** Lists are typed as lines, or with commas or spaces between them. */
const list = (isRight: (item: string) => boolean, toText: (item: string) => string) =>
  z.string().superRefine((text, context) => {
    const wrong = toItems(text).find((item) => !isRight(item));
    if (wrong !== undefined) context.addIssue({ code: 'custom', message: toText(wrong) });
  });

/** What people write about a client, made or edited. */
const clientDetails = z.object({
  name: createClientRequest.shape.name,
  description: z.string().trim().max(4096, 'At most 4,096 characters'),
});

export const clientForm = clientDetails.extend({
  redirectUris: list(isAbsolute, (item) => `${item} is no whole address, such as https://app.example.com/callback`),
  launchUri: z
    .string()
    .trim()
    .refine((text) => text === '' || /^https?:\/\/\S+$/.test(text), 'An address that begins with https://'),
  allowedOrigin: list(isOrigin, (item) => `${item} is no origin, such as https://app.example.com`),
  allowedAddress: list(isAddress, (item) => `${item} is no IP address or network, such as 203.0.113.0/24`),
  allowedScope: list(
    (item) => !/["\\]/.test(item),
    (item) => `${item} is no scope`,
  ),
});
export type ClientForm = z.input<typeof clientForm>;

export const CLIENT_FIELDS = [
  'name',
  'description',
  'redirectUris',
  'launchUri',
  'allowedOrigin',
  'allowedAddress',
  'allowedScope',
] as const satisfies readonly (keyof ClientForm)[];

export function toForm(client: ClientApplication): ClientForm {
  const lines = (items: string[] = []) => items.join('\n');
  return {
    name: client.name ?? '',
    description: client.description ?? '',
    redirectUris: lines(client.redirectUris),
    launchUri: client.launchUri ?? '',
    allowedOrigin: lines(client.allowedOrigin),
    allowedAddress: lines(client.allowedAddress),
    allowedScope: lines(client.allowedScope),
  };
}

/** Empty is what limits nothing. */
export function toEdit(form: ClientForm): Partial<ClientApplication> {
  return {
    name: form.name.trim(),
    description: form.description.trim(),
    redirectUris: toItems(form.redirectUris),
    launchUri: form.launchUri.trim(),
    allowedOrigin: toItems(form.allowedOrigin),
    allowedAddress: toItems(form.allowedAddress),
    allowedScope: toItems(form.allowedScope),
  };
}

export function toItems(text: string): string[] {
  return [...new Set(text.split(/[\s,]+/).filter((item) => item !== ''))];
}

function isAbsolute(item: string): boolean {
  return URL.canParse(item) && !item.includes('#');
}

function isOrigin(item: string): boolean {
  return item === '*' || (URL.canParse(item) && new URL(item).origin === item);
}
