import type { IdentityProvider } from '#lib/protocol/fhir/client-types.ts';

/** What the form of a provider asks of how people sign in there, in its order. Lists are words with spaces between. */
export const STRENGTH_FIELDS = ['acrValues', 'mfaAmr', 'mfaAcr', 'maxAge'] as const;
export type StrengthField = (typeof STRENGTH_FIELDS)[number];

/** As it is typed: '' where nothing is set. */
export function toTyped(provider: IdentityProvider | null, name: StrengthField): string {
  const value = provider?.[name] ?? '';
  return Array.isArray(value) ? value.join(' ') : String(value);
}

/** What is set of what was typed; nothing for an empty field. */
export function fromTyped(typed: Record<StrengthField, string>): Partial<Pick<IdentityProvider, StrengthField>> {
  const words = (name: StrengthField) => typed[name].split(/[\s,]+/).filter(Boolean);
  const [acrValues, mfaAmr, mfaAcr] = [words('acrValues'), words('mfaAmr'), words('mfaAcr')];
  const maxAge = typed.maxAge.trim();
  return {
    ...(acrValues.length > 0 && { acrValues: acrValues.join(' ') }),
    ...(mfaAmr.length > 0 && { mfaAmr }),
    ...(mfaAcr.length > 0 && { mfaAcr }),
    ...(maxAge && { maxAge: Number(maxAge) }),
  };
}
