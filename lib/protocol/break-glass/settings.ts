import type { ProjectSetting } from '../fhir/types.ts';

/** `AccessPolicy/id` that emergency access gives. Without it there is none. */
export const GLASS_POLICY = 'breakGlassPolicy';
/** Who may break the glass: who has one of these policies, as a list with commas. */
export const GLASS_HOLDERS = 'breakGlassFor';
/** For how many minutes; 60 at most, and where nothing is said. */
export const GLASS_MINUTES = 'breakGlassMinutes';
export const GLASS_SETTINGS: readonly string[] = [GLASS_POLICY, GLASS_HOLDERS, GLASS_MINUTES];

const MOST_GLASS_MINUTES = 60;
const LEAST_MINUTES = 5;
const MOST_HOLDERS = 50;

/** What a project says of emergency access. */
export type GlassTerms = { policy: string; holders: readonly string[]; minutes: number };

const REFERENCE = /^AccessPolicy\/[A-Za-z0-9.-]{1,64}$/;

/** Undefined where there is none: unless both the policy and who may are said. */
export function readGlassTerms(settings: readonly ProjectSetting[]): GlassTerms | undefined {
  const find = (name: string) => settings.find((item) => item.name === name);
  const policy = find(GLASS_POLICY)?.valueString;
  const holders = parseHolders(find(GLASS_HOLDERS)?.valueString ?? '');
  if (policy === undefined || !REFERENCE.test(policy) || !holders) return undefined;
  const minutes = find(GLASS_MINUTES)?.valueInteger ?? MOST_GLASS_MINUTES;
  return { policy, holders, minutes: isMinutes(minutes) ? minutes : MOST_GLASS_MINUTES };
}

/** What is wrong with a setting of these names; undefined for any other, and where nothing is. */
export function findGlassFault({ name, valueString = '', valueInteger }: ProjectSetting): string | undefined {
  if (name === GLASS_POLICY && !REFERENCE.test(valueString))
    return 'this setting is a reference like AccessPolicy/<id>: it takes valueString';
  if (name === GLASS_HOLDERS && !parseHolders(valueString))
    return `this setting is a list of at most ${MOST_HOLDERS} references like AccessPolicy/<id>, with commas: it takes valueString`;
  if (name === GLASS_MINUTES && !isMinutes(valueInteger))
    return `this setting is a number of minutes from ${LEAST_MINUTES} to ${MOST_GLASS_MINUTES}: it takes valueInteger`;
  return undefined;
}

function isMinutes(value: number | undefined): value is number {
  return Number.isInteger(value) && value! >= LEAST_MINUTES && value! <= MOST_GLASS_MINUTES;
}

function parseHolders(text: string): string[] | undefined {
  const all = [...new Set(text.split(/[\s,]+/).filter((one) => one !== ''))];
  const isList = all.length > 0 && all.length <= MOST_HOLDERS && all.every((one) => REFERENCE.test(one));
  return isList ? all : undefined;
}
