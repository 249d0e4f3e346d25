import { COMMON_PASSWORDS } from './common-passwords.ts';

export const PASSWORD_MIN_BYTES = 8;
export const PASSWORD_MAX_BYTES = 72;

export type PasswordRule = {
  id: 'length' | 'personal' | 'common';
  /** What is asked for, for the list. */
  text: string;
  /** What is wrong when it is not met, for the field. */
  complaint: string;
  met: boolean;
};

export type PasswordAdvice = {
  rules: PasswordRule[];
  /** 0 refused, 1 weak, 2 fair, 3 good, 4 strong. */
  score: 0 | 1 | 2 | 3 | 4;
  /** The first rule that is not met, as a sentence for the field. */
  problem?: string;
};

/** The reasons for and against a password. `personal`: the name and e-mail typed beside it. */
export function advisePassword(password: string, personal: readonly string[] = []): PasswordAdvice {
  const bytes = new TextEncoder().encode(password).length;
  const rules: PasswordRule[] = [
    toLengthRule(bytes),
    {
      id: 'personal',
      text: 'Does not contain your name or e-mail',
      complaint: 'This contains your name or e-mail. Leave them out.',
      met: !containsPersonal(password, personal),
    },
    {
      id: 'common',
      text: 'Is not among the passwords people pick most',
      complaint: 'This is among the first that anyone would try. Choose another.',
      met: !isCommon(password),
    },
  ];
  const broken = rules.find((rule) => !rule.met);
  return { rules, score: broken ? 0 : strengthOf(password), problem: broken?.complaint };
}

function toLengthRule(bytes: number): PasswordRule {
  if (bytes > PASSWORD_MAX_BYTES) {
    const text = `At most ${PASSWORD_MAX_BYTES} bytes; this has ${bytes}`;
    return { id: 'length', text, complaint: `${text}.`, met: false };
  }
  const text = `At least ${PASSWORD_MIN_BYTES} characters`;
  return { id: 'length', text, complaint: `Use ${text.toLowerCase()}.`, met: bytes >= PASSWORD_MIN_BYTES };
}

function containsPersonal(password: string, personal: readonly string[]): boolean {
  const lower = password.toLowerCase();
  return personal
    .flatMap((text) => text.toLowerCase().split(/[^\p{L}\p{N}]+/u))
    .some((word) => word.length >= 4 && lower.includes(word));
}

function isCommon(password: string): boolean {
  const lower = password.toLowerCase();
  return COMMON_PASSWORDS.has(lower) || isRun(lower);
}

/** One character over and over, or a straight walk up or down the code points ("23456789", "hgfedcba"). */
function isRun(text: string): boolean {
  if (text.length < 6) return false;
  const steps = new Set(
    [...text].slice(1).map((char, index) => (char.codePointAt(0) ?? 0) - (text.codePointAt(index) ?? 0)),
  );
  return steps.size === 1 && [-1, 0, 1].includes([...steps][0] ?? 9);
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
