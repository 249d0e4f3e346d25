import type { ProjectMembership, ProjectSetting } from '../fhir/types.ts';
import { domainOf } from '../mail-domains/domain-name.ts';

/** How a person shows who they are: a link covers its code, too, and a provider is whoever speaks for their address or the client. */
export const WAYS = ['password', 'passkey', 'link', 'provider'] as const;
export type Way = (typeof WAYS)[number];

/** Of whom a project says it: its administrators, and everybody else by their profile. */
export const WAY_GROUPS = ['Admin', 'Practitioner', 'Patient', 'RelatedPerson'] as const;
export type WayGroup = (typeof WAY_GROUPS)[number];

const NAME = 'signInWays.';

/** Where nothing is said: all but the link, which a project asks for. */
const USUAL: Way[] = ['password', 'passkey', 'provider'];

/** The setting that says by which ways these people may sign in: a comma list. */
export function waysSetting(group: WayGroup): `signInWays.${WayGroup}` {
  return `${NAME}${group}`;
}

/** What the settings say of a group; undefined where they say nothing. */
export function readWays(settings: readonly ProjectSetting[], group: WayGroup): Way[] | undefined {
  return parseWays(settings.find(({ name }) => name === waysSetting(group))?.valueString ?? '');
}

type Member = Pick<ProjectMembership, 'admin' | 'signInWays'> & { profile?: { reference?: string } };

/** Domains whose people enter by their provider alone, and with which address this person signs in. */
export type Enforced = { domains: readonly string[]; email: string | undefined };

/**
 * By which ways somebody may enter: as their membership says; else by the provider of their domain where that is enforced; else, for an administrator, as it is said of administrators; else as it is said
 * of their profile.
 */
export function waysOf(
  settings: readonly ProjectSetting[],
  { admin, signInWays, profile }: Member,
  enforced?: Enforced,
): Way[] {
  if (signInWays && signInWays.length > 0) return WAYS.filter((way) => signInWays.includes(way));
  if (enforced?.email && enforced.domains.includes(domainOf(enforced.email))) return ['provider'];
  const type = profile?.reference?.split('/')[0];
  const group = WAY_GROUPS.find((one) => one === type);
  const forAdmin = admin === true ? readWays(settings, 'Admin') : undefined;
  return forAdmin ?? (group && readWays(settings, group)) ?? USUAL;
}

/** Whether one list of settings says something else of ways in than the other. */
export function changesWays(before: readonly ProjectSetting[], after: readonly ProjectSetting[]): boolean {
  return WAY_GROUPS.some((group) => String(readWays(before, group)) !== String(readWays(after, group)));
}

/** What is wrong with a setting of these names; undefined for any other, and where nothing is. */
export function findWaysFault({ name, valueString = '' }: ProjectSetting): string | undefined {
  if (!name.startsWith(NAME)) return undefined;
  if (!WAY_GROUPS.some((group) => name === waysSetting(group)))
    return `there is ${WAY_GROUPS.map(waysSetting).join(', ')}: this setting is none of them`;
  return parseWays(valueString)
    ? undefined
    : `this setting is a comma list of ${WAYS.join(', ')}: it takes valueString`;
}

/** Ways of a comma list; undefined when one is none, or there is none. */
function parseWays(text: string): Way[] | undefined {
  const names = text.split(',').map((name) => name.trim());
  const known = WAYS.filter((way) => names.includes(way));
  return names.every((name) => known.some((way) => way === name)) ? known : undefined;
}

const WORDS: Record<Way, string> = {
  password: 'a password',
  passkey: 'a passkey',
  link: 'a link by e-mail',
  provider: 'your organisation’s sign-in',
};

/** "a passkey or a link by e-mail". */
export function tellWays(ways: readonly Way[]): string {
  const words = ways.map((way) => WORDS[way]);
  return words.length > 1 ? `${words.slice(0, -1).join(', ')} or ${words.at(-1)}` : (words[0] ?? 'nothing');
}
