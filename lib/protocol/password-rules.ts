import { COMMON_PASSWORDS } from './common-passwords.ts';

const PASSWORD_MIN_CHARACTERS = 8;
/** Of whatever script: our hash takes any length, and 72 are what the published clients know as the end (in bytes). */
const PASSWORD_MAX_CHARACTERS = 72;

/** What everybody here thinks of first: the product and what it is for (OWASP ASVS 6.1.2; told in docs/asvs.md). */
const WORDS_OF_HERE = [
  'gatehouse',
  'medplum',
  'fhir',
  'patient',
  'practitioner',
  'clinic',
  'hospital',
  'administrator',
];

export const COMMON = 'Password is one of the most common; choose another';

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
 * that is little more than them is a first guess. No composition rules (NIST SP 800-63B §3.1.1.2).
 */
export function passwordRules(password: string, personal: readonly string[] = []): PasswordRule[] {
  return [
    toLengthRule(password),
    {
      id: 'personal',
      text: 'Is more than your name or e-mail',
      complaint: 'Password must be more than your name or e-mail address',
      met: !isMostlyPersonal(password, personal),
    },
    {
      id: 'common',
      text: 'Is not among the passwords people pick most',
      complaint: COMMON,
      met: !isCommon(password),
    },
  ];
}

/** Why a password is refused, or undefined. */
export function passwordProblem(password: string, personal: readonly string[] = []): string | undefined {
  return passwordRules(password, personal).find((rule) => !rule.met)?.complaint;
}

function toLengthRule(password: string): PasswordRule {
  const { length } = [...password];
  if (length > PASSWORD_MAX_CHARACTERS) {
    const text = `At most ${PASSWORD_MAX_CHARACTERS} characters; this has ${length}`;
    const complaint = `Password must be at most ${PASSWORD_MAX_CHARACTERS} characters`;
    return { id: 'length', text, complaint, met: false };
  }
  return {
    id: 'length',
    text: `At least ${PASSWORD_MIN_CHARACTERS} characters`,
    complaint: `Password must be at least ${PASSWORD_MIN_CHARACTERS} characters`,
    met: length >= PASSWORD_MIN_CHARACTERS,
  };
}

/** What is left without the person's own words must still be long enough to be a password. */
function isMostlyPersonal(password: string, personal: readonly string[]): boolean {
  const words = personal
    .flatMap((text) => text.toLowerCase().split(/[^\p{L}\p{N}]+/u))
    .filter((word) => word.length >= 4)
    .sort((a, b) => b.length - a.length);
  const rest = words.reduce((text, word) => text.replaceAll(word, ' '), password.toLowerCase());
  const kept = rest.replace(/[^\p{L}\p{N}]/gu, '');
  return rest !== password.toLowerCase() && kept.length < PASSWORD_MIN_CHARACTERS;
}

function isCommon(password: string): boolean {
  const lower = password.toLowerCase();
  return COMMON_PASSWORDS.has(lower) || isRun(lower) || isMostlyPersonal(password, WORDS_OF_HERE);
}

/** One character over and over, or a straight walk up or down the code points ("23456789", "hgfedcba"). */
function isRun(text: string): boolean {
  const [first, ...rest] = text;
  if (first === undefined || rest.length < 5) return false;
  const points = [first, ...rest].map((char) => char.codePointAt(0) ?? 0);
  const steps = new Set(points.slice(1).map((point, index) => point - (points[index] ?? 0)));
  return steps.size === 1 && [-1, 0, 1].includes([...steps][0] ?? 9);
}
