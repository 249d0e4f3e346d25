import { COMMON_PASSWORDS } from './common-passwords.ts';

export const PASSWORD_MIN_BYTES = 8;
export const PASSWORD_MAX_BYTES = 72;

export type PasswordRule = {
  id: 'length' | 'personal' | 'common';
  /** What is asked for, for the list beside the field. */
  text: string;
  /** What is wrong when it is not met, for the field and the API. */
  complaint: string;
  met: boolean;
};

/**
 * The rules of a password, the same for the meter and the server. `personal` are the person's own names and address: a password
 * that holds them is a first guess. No composition rules (NIST SP 800-63B §3.1.1.2).
 */
export function passwordRules(password: string, personal: readonly string[] = []): PasswordRule[] {
  return [
    toLengthRule(password),
    {
      id: 'personal',
      text: 'Does not contain your name or e-mail',
      complaint: 'Password must not contain your name or e-mail address',
      met: !containsPersonal(password, personal),
    },
    {
      id: 'common',
      text: 'Is not among the passwords people pick most',
      complaint: 'Password is one of the most common; choose another',
      met: !isCommon(password),
    },
  ];
}

/** Why a password is refused, or undefined. */
export function passwordProblem(password: string, personal: readonly string[] = []): string | undefined {
  return passwordRules(password, personal).find((rule) => !rule.met)?.complaint;
}

function toLengthRule(password: string): PasswordRule {
  const bytes = new TextEncoder().encode(password).length;
  if (bytes > PASSWORD_MAX_BYTES) {
    const text = `At most ${PASSWORD_MAX_BYTES} bytes; this has ${bytes}`;
    return { id: 'length', text, complaint: `Password must be at most ${PASSWORD_MAX_BYTES} bytes`, met: false };
  }
  return {
    id: 'length',
    text: `At least ${PASSWORD_MIN_BYTES} characters`,
    complaint: `Password must be at least ${PASSWORD_MIN_BYTES} characters`,
    met: bytes >= PASSWORD_MIN_BYTES,
  };
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
  const [first, ...rest] = text;
  if (first === undefined || rest.length < 5) return false;
  const points = [first, ...rest].map((char) => char.codePointAt(0) ?? 0);
  const steps = new Set(points.slice(1).map((point, index) => point - (points[index] ?? 0)));
  return steps.size === 1 && [-1, 0, 1].includes([...steps][0] ?? 9);
}
