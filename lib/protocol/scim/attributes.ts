/**
 * What of a User is kept (RFC 7643 §4.1): the attribute, and the parts of a complex one. Names are looked for whatever their case (§2.1),
 * and only these are ever taken out of what a caller sent, so that no name of theirs becomes the name of a property.
 */
type Attribute = { kind: 'plain' | 'complex' | 'many'; parts: ReadonlyMap<string, string> };

const NAME = ['formatted', 'familyName', 'givenName', 'middleName', 'honorificPrefix', 'honorificSuffix'];
const CONTACT = ['value', 'type', 'primary', 'display'];

const KEPT = new Map<string, Attribute & { name: string }>([
  ...['userName', 'externalId', 'displayName', 'userType', 'active'].map((name) => entry(name, 'plain', [])),
  entry('name', 'complex', NAME),
  entry('emails', 'many', CONTACT),
  entry('phoneNumbers', 'many', CONTACT),
]);

function entry(name: string, kind: Attribute['kind'], parts: string[]): [string, Attribute & { name: string }] {
  return [name.toLowerCase(), { name, kind, parts: new Map(parts.map((part) => [part.toLowerCase(), part])) }];
}

/** Of the RFCs, and not kept here: directories send them unasked, so they are passed over (RFC 7644 §3.3). */
const PASSED_OVER = new Set(
  `schemas nickName profileUrl title preferredLanguage locale timezone password ims photos addresses entitlements roles
  x509Certificates`
    .toLowerCase()
    .split(/\s+/),
);
const READ_ONLY = new Set(['id', 'meta', 'groups']);

export type FoundAttribute = Attribute & { name: string };

/** Undefined: none of those that are kept. */
export function findAttribute(name: string): FoundAttribute | undefined {
  return KEPT.get(name.toLowerCase());
}

export function isPassedOver(name: string): boolean {
  return PASSED_OVER.has(name.toLowerCase());
}

export function isReadOnly(name: string): boolean {
  return READ_ONLY.has(name.toLowerCase());
}

/** The attributes of `given` that are kept, by their own names. */
export function keepKnown(given: unknown): unknown {
  if (!isObject(given)) return given;
  const kept = Object.entries(given).flatMap(([key, value]) => {
    const attribute = findAttribute(key);
    return attribute ? [[attribute.name, keepParts(attribute, value)]] : [];
  });
  return Object.fromEntries(kept);
}

/** A value of one attribute, with the parts that it may have. */
export function keepParts({ kind, parts }: Attribute, value: unknown): unknown {
  if (kind === 'plain') return value;
  if (Array.isArray(value)) return value.map((item) => pick(parts, item));
  return pick(parts, value);
}

function pick(parts: ReadonlyMap<string, string>, value: unknown): unknown {
  if (!isObject(value)) return value;
  const kept = Object.entries(value).flatMap(([key, part]) => {
    const name = parts.get(key.toLowerCase());
    return name === undefined ? [] : [[name, part]];
  });
  return Object.fromEntries(kept);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
