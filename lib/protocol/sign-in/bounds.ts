import { z } from 'zod';
import { LIFETIME, lifetimeSeconds } from '../fhir/lifetime.ts';
import type { ProjectSetting } from '../fhir/types.ts';

/** What a project sets for all its sessions, over what a client has of its own: the shorter holds. */
export type SessionBounds = {
  accessSeconds?: number;
  refreshSeconds?: number;
  /** A person's login that was not used for so long has ended. */
  idleSeconds?: number;
  /** One that began so long ago has ended, however much it is used. */
  sessionSeconds?: number;
  /** Addresses and networks (CIDR); undefined: from anywhere. */
  addresses?: string[];
};

export const ACCESS_LIFETIME = 'accessTokenLifetime';
export const REFRESH_LIFETIME = 'refreshTokenLifetime';
export const IDLE_LIMIT = 'sessionIdleLimit';
export const SESSION_LIFETIME = 'sessionLifetime';
export const ALLOWED_ADDRESSES = 'allowedAddresses';

/** Shorter would be no session. */
const LEAST_SECONDS: Record<string, number> = {
  [ACCESS_LIFETIME]: 60,
  [REFRESH_LIFETIME]: 300,
  [IDLE_LIMIT]: 300,
  [SESSION_LIFETIME]: 300,
};
export const MOST_ADDRESSES = 200;
const address = z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()]);

/** An IP address of either kind, or a network of them (CIDR). */
export function isAddress(text: string): boolean {
  return address.safeParse(text).success;
}

export function readBounds(settings: readonly ProjectSetting[]): SessionBounds {
  const find = (name: string) => settings.find((item) => item.name === name)?.valueString;
  const read = (name: string) => {
    const seconds = lifetimeSeconds(find(name));
    return seconds !== undefined && seconds >= LEAST_SECONDS[name]! ? seconds : undefined;
  };
  return {
    accessSeconds: read(ACCESS_LIFETIME),
    refreshSeconds: read(REFRESH_LIFETIME),
    idleSeconds: read(IDLE_LIMIT),
    sessionSeconds: read(SESSION_LIFETIME),
    addresses: parseAddresses(find(ALLOWED_ADDRESSES) ?? ''),
  };
}

/** What is wrong with a setting of these names; undefined for any other, and where nothing is. */
export function findBoundsFault({ name, valueString = '' }: ProjectSetting): string | undefined {
  if (name === ALLOWED_ADDRESSES)
    return parseAddresses(valueString)
      ? undefined
      : `this setting is a list of at most ${MOST_ADDRESSES} addresses or networks, such as 203.0.113.0/24, 2001:db8::/32: it takes valueString`;
  const least = Object.hasOwn(LEAST_SECONDS, name) ? LEAST_SECONDS[name] : undefined;
  if (least === undefined) return undefined;
  if (!LIFETIME.test(valueString))
    return 'this setting is a number with s, m, h, d, w or y, such as 30m: it takes valueString';
  return lifetimeSeconds(valueString)! < least ? `this setting is ${least / 60}m at least` : undefined;
}

/** Of a list with commas, spaces or lines; undefined when one is no address, or there is none. */
function parseAddresses(text: string): string[] | undefined {
  const all = text.split(/[\s,]+/).filter((one) => one !== '');
  const isList = all.length > 0 && all.length <= MOST_ADDRESSES && all.every(isAddress);
  return isList ? all : undefined;
}
