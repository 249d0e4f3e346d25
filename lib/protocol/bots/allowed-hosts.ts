import type { Issue } from '#lib/base/errors.ts';
import type { ProjectSetting } from '../fhir/types.ts';

/** The setting of a project for its bots that have no list of their own (`Bot.allowedHost`), separated by commas or spaces. */
const BOT_HOSTS = 'botAllowedHosts';
/** In a list by itself: no host at all. */
const NONE = 'none';
const MOST_HOSTS = 100;
/** Of a name in DNS (RFC 1035 §2.3.4). */
const MOST_CHARACTERS = 253;
const FORM = 'must be a host like api.example.com, or *.example.com for all below it, in lower case';

/** Whether a list lets this host be called, as a URL has it; no list: any host. `*.example.com` is not `example.com` itself. */
export function allowsHost(list: readonly string[] | undefined, hostname: string): boolean {
  if (!list) return true;
  // With its dot at the end it is the same name.
  const host = hostname.replace(/\.$/, '');
  return list.some((item) => (item.startsWith('*.') ? host.endsWith(item.slice(1)) : item !== NONE && host === item));
}

/** What is wrong with the list of a Bot, one issue each. */
export function hostIssues({ allowedHost }: { allowedHost?: unknown }): Issue[] {
  if (!Array.isArray(allowedHost)) return [];
  if (allowedHost.length > MOST_HOSTS) return [{ text: `At most ${MOST_HOSTS} hosts`, expression: 'Bot.allowedHost' }];
  return allowedHost.flatMap((host, index) => {
    if (isHost(host) || (host === NONE && allowedHost.length === 1)) return [];
    return [{ text: `allowedHost ${FORM}`, expression: `Bot.allowedHost[${index}]` }];
  });
}

/** The setting's hosts; undefined where there is none, or none that can be read. */
export function readBotHosts(settings: readonly ProjectSetting[]): string[] | undefined {
  const text = settings.find(({ name }) => name === BOT_HOSTS)?.valueString;
  return text === undefined ? undefined : split(text);
}

/** What is wrong with a setting of this name; undefined for any other, and where nothing is. */
export function findBotHostsFault({ name, valueString = '' }: ProjectSetting): string | undefined {
  if (name !== BOT_HOSTS) return undefined;
  const hosts = split(valueString);
  const isList = hosts.length > 0 && hosts.length <= MOST_HOSTS && hosts.every(isHost);
  if (isList || (hosts.length === 1 && hosts[0] === NONE)) return undefined;
  return `this setting is a list of at most ${MOST_HOSTS} hosts, or none; each ${FORM}: it takes valueString`;
}

function split(text: string): string[] {
  return text.split(/[\s,]+/).filter(Boolean);
}

/** As URLs have it, to which it is compared: in lower case, IDNs in their ASCII form, no port. */
function isHost(host: unknown): boolean {
  if (typeof host !== 'string' || host === NONE || host.length > MOST_CHARACTERS || host.endsWith('.')) return false;
  const name = host.replace(/^\*\./, '');
  return name !== '' && !name.includes('*') && URL.parse(`https://${name}`)?.hostname === name;
}
