import { BlockList, isIP } from 'node:net';
import { LRUCache } from 'lru-cache';
import { AppError } from '#lib/base/errors.ts';
import type { ClientBounds } from '#lib/protocol/clients/bounds.ts';
import { isInTime } from '#lib/protocol/fhir/identity/membership-dates.ts';
import type { SessionBounds } from '#lib/protocol/sign-in/bounds.ts';
import type { Actor, Ctx } from '../access/context.ts';

/** Lists as they are asked, by their text: many requests ask the same. */
const lists = new LRUCache<string, BlockList>({ max: 1000 });

/** Whether a project or client that allows these addresses is entered from here. Where nobody knows from where it is asked, it is not. */
export function isFrom({ addresses }: { addresses?: string[] }, remoteAddress: string): boolean {
  if (!addresses) return true;
  // As a socket has it that hears both.
  const given = remoteAddress.replace(/^::ffff:(?=\d+\.)/i, '');
  const family = isIP(given);
  return family !== 0 && toList(addresses).check(given, family === 4 ? 'ipv4' : 'ipv6');
}

type Placed = Pick<Actor, 'bounds' | 'client' | 'policy'>;
type Place = Pick<Ctx, 'remoteAddress' | 'origin'>;

/** Why the project, or the client that they came in by, is not entered from here, in a sentence; undefined when it is. */
export function findPlaceFault({ bounds, client = {}, policy }: Placed, place: Place): string | undefined {
  if (!isFrom(bounds, place.remoteAddress)) return 'This project is not entered from this IP address';
  if (!isLetIn(policy.places ?? [], place.remoteAddress)) return 'Your access policy is not for this IP address';
  if (!isFrom(client, place.remoteAddress)) return 'This client is not used from this IP address';
  return isOfSite(client, place) ? undefined : 'This client is not used from this origin';
}

/** The first rule that fits decides; where none does, all are let in. Where nobody knows from where it is asked, each address may be the one. */
function isLetIn(rules: NonNullable<Actor['policy']['places']>, remoteAddress: string): boolean {
  for (const { network, isAllowed, time } of rules) {
    if (time && !isInTime(time)) continue;
    if (network === undefined) return isAllowed;
    if (!isKnown(remoteAddress)) return false;
    if (isFrom({ addresses: [network] }, remoteAddress)) return isAllowed;
  }
  return true;
}

function isKnown(remoteAddress: string): boolean {
  return isIP(remoteAddress) !== 0;
}

/** A program sends no Origin; a browser does for what a page of another site asks for. */
export function isOfSite({ origins }: ClientBounds, { origin }: Pick<Ctx, 'origin'>): boolean {
  return !origins || origin === undefined || origins.includes('*') || origins.includes(origin);
}

/** Throws 403: the token is good, elsewhere. */
export function requirePlace(actor: Placed, place: Place): void {
  const fault = findPlaceFault(actor, place);
  if (fault) throw new AppError('forbidden', fault);
}

/** Whether a token that was made then may still be used: also one from before the project set the bound. */
export function isYoung(seconds: number | undefined, issuedAtSeconds: number): boolean {
  return seconds === undefined || issuedAtSeconds + seconds > Date.now() / 1000;
}

/** When a person's login ends that began then, in epoch milliseconds; undefined where it has no end. */
export function endOf({ sessionSeconds }: SessionBounds, authTime: Date): number | undefined {
  return sessionSeconds === undefined ? undefined : authTime.getTime() + sessionSeconds * 1000;
}

/** The shorter of both. */
export function bounded(own: number, bound: number | undefined): number {
  return Math.min(own, bound ?? own);
}

function toList(addresses: string[]): BlockList {
  const text = addresses.join(' ');
  const known = lists.get(text);
  if (known) return known;
  const list = new BlockList();
  for (const one of addresses) {
    const [net = '', bits] = one.split('/');
    const family = isIP(net) === 4 ? 'ipv4' : 'ipv6';
    if (bits === undefined) list.addAddress(net, family);
    else list.addSubnet(net, Number(bits), family);
  }
  lists.set(text, list);
  return list;
}
