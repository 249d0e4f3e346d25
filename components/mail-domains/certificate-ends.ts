import type { SamlCertificate } from '#lib/protocol/answers/mail-domains.ts';

const SOON_MS = 30 * 86_400_000;

/** Where none is good for long: the provider is about to sign by another, which nobody here knows. */
export function lastEndOf(certificates: SamlCertificate[]): string | undefined {
  const last = certificates
    .map(({ endsAt }) => endsAt)
    .sort()
    .at(-1);
  return last !== undefined && endsSoon(last) ? last : undefined;
}

export function isOver(endsAt: string): boolean {
  return Date.parse(endsAt) <= Date.now();
}

export function endsSoon(endsAt: string): boolean {
  return Date.parse(endsAt) - Date.now() < SOON_MS;
}
