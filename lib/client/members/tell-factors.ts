import type { MemberFact } from '#lib/protocol/answers/member-facts.ts';
import type { FactorMethod } from '#lib/protocol/factors/answers.ts';

const WORDS: Record<FactorMethod, string> = { totp: 'App code', email: 'E-mail code' };

/** What somebody proves beside a password: "Passkey, app code". What an organisation asks for there is not known here. */
export function tellFactors({ passkey, factors, byProvider }: MemberFact): string {
  if (byProvider) return 'By their organisation';
  const words = [...(passkey ? ['Passkey'] : []), ...factors.map((method) => WORDS[method])];
  return words.map((word, at) => (at === 0 ? word : word.toLowerCase())).join(', ') || 'None';
}
