import { type PasswordRule, passwordRules } from '#lib/protocol/password-rules.ts';

export type PasswordAdvice = {
  rules: PasswordRule[];
  /** 0 refused, 1 weak, 2 fair, 3 good, 4 strong. */
  score: 0 | 1 | 2 | 3 | 4;
  /** The first rule that is not met, as a sentence for the field. */
  problem?: string;
};

/** The reasons for and against a password. `personal`: the name and e-mail typed beside it. */
export function advisePassword(password: string, personal: readonly string[] = []): PasswordAdvice {
  const rules = passwordRules(password, personal);
  const broken = rules.find((rule) => !rule.met);
  return { rules, score: broken ? 0 : strengthOf(password), problem: broken?.complaint };
}

/** Bits from the number of different characters and their kinds: a hint for people, no proof. */
function strengthOf(password: string): 1 | 2 | 3 | 4 {
  const kinds = [/\p{Ll}/u, /\p{Lu}/u, /\p{N}/u, /[^\p{L}\p{N}]/u].filter((kind) => kind.test(password)).length;
  const distinct = new Set(password).size;
  const bits = Math.min(password.length, distinct * 1.6) * (2.6 + kinds * 0.75);
  if (bits < 34) return 1;
  if (bits < 48) return 2;
  return bits < 64 ? 3 : 4;
}
