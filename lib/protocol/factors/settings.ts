import { FACTOR_METHODS, type FactorMethod } from './answers.ts';

type Setting = { name: string; valueString?: string };

/** Which second factors the members of a project may enrol (contract §1.5): `totp`, `email`, or both. */
export const ALLOWED_METHODS = 'allowedMfaMethods';
/** Who must have a second factor to enter a project; a person's own requirement (User.mfaRequired) stands beside it. */
export const REQUIREMENT = 'mfaRequired';

export const REQUIREMENTS = ['none', 'admins', 'everyone'] as const;
export type FactorRequirement = (typeof REQUIREMENTS)[number];

/** Methods of a comma list; undefined when one is none, or there is none. */
function parseMethods(text: string): FactorMethod[] | undefined {
  const names = text.split(',').map((name) => name.trim());
  const known = FACTOR_METHODS.filter((method) => names.includes(method));
  return names.every((name) => known.some((method) => method === name)) ? known : undefined;
}

/** An authenticator, unless the settings say otherwise. */
export function readAllowedMethods(settings: readonly Setting[]): FactorMethod[] {
  return parseMethods(find(settings, ALLOWED_METHODS) ?? '') ?? ['totp'];
}

export function readRequirement(settings: readonly Setting[]): FactorRequirement {
  const given = find(settings, REQUIREMENT) ?? '';
  return isRequirement(given) ? given : 'none';
}

function isRequirement(text: string): text is FactorRequirement {
  return REQUIREMENTS.some((one) => one === text);
}

/** What is wrong with a setting of these names; undefined for any other, and where nothing is. */
export function findFault({ name, valueString = '' }: Setting): string | undefined {
  if (name === ALLOWED_METHODS && parseMethods(valueString) === undefined)
    return 'this setting is a comma list of totp and email: it takes valueString';
  if (name === REQUIREMENT && !isRequirement(valueString))
    return `this setting is one of ${REQUIREMENTS.join(', ')}: it takes valueString`;
  return undefined;
}

function find(settings: readonly Setting[], name: string): string | undefined {
  return settings.find((item) => item.name === name)?.valueString;
}
