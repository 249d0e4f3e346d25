import { z } from 'zod';

const field = z.string();

/** What the form of a SAML provider asks: its metadata, or its parts; certificates as PEM, one below the other. */
export const samlForm = z
  .object({
    given: z.enum(['metadata', 'parts']),
    metadata: field,
    entityId: field,
    ssoUrl: field,
    certificates: field,
    emailAttribute: field,
    givenNameAttribute: field,
    familyNameAttribute: field,
  })
  .superRefine((values, context) => {
    const needed = values.given === 'metadata' ? NEEDED.metadata : NEEDED.parts;
    for (const [name, message] of needed)
      if (values[name].trim() === '') context.addIssue({ code: 'custom', path: [name], message });
  });
export type SamlForm = z.input<typeof samlForm>;

const NEEDED = {
  metadata: [['metadata', 'Paste the metadata']],
  parts: [
    ['entityId', 'Enter the entity ID'],
    ['ssoUrl', 'Enter the address'],
    ['certificates', 'Paste a certificate'],
  ],
} as const;

/** Each as it stands; without the lines around them, all is one. */
export function toCertificates(text: string): string[] {
  return text.split(/(?<=-----END CERTIFICATE-----)/).flatMap((one) => one.trim() || []);
}
