import type { Shown } from './list-query.ts';

/** Always there (RFC 7643 §2.2: returned "always"). */
const ALWAYS = new Set(['schemas', 'id']);
const CORE = /^urn:ietf:params:scim:schemas:core:2\.0:(?:user|group):/;

/** What of a resource was asked for (RFC 7644 §3.9): `attributes` alone, else all but `excludedAttributes`. A part of a complex one is named with a dot. */
export function selectAttributes<T extends object>(resource: T, { attributes, excludedAttributes }: Shown): Partial<T> {
  if (attributes && attributes.length > 0) return only(resource, named(attributes));
  if (excludedAttributes && excludedAttributes.length > 0) return without(resource, named(excludedAttributes));
  return resource;
}

/** Attribute to its parts; none of them: the whole. */
type Named = Map<string, Set<string>>;

function named(names: string[]): Named {
  const found: Named = new Map();
  for (const [attribute = '', part] of names.map((name) => name.replace(CORE, '').split('.'))) {
    const parts = found.get(attribute);
    if (part === undefined) found.set(attribute, new Set());
    else if (parts === undefined) found.set(attribute, new Set([part]));
    else if (parts.size > 0) parts.add(part);
  }
  return found;
}

function only<T extends object>(resource: T, wanted: Named): Partial<T> {
  const kept = Object.entries(resource).flatMap(([name, value]) => {
    const parts = wanted.get(name.toLowerCase());
    if (ALWAYS.has(name)) return [[name, value]];
    if (parts === undefined) return [];
    return [[name, parts.size === 0 ? value : ofParts(value, (part) => parts.has(part))]];
  });
  return Object.fromEntries(kept) as Partial<T>;
}

function without<T extends object>(resource: T, unwanted: Named): Partial<T> {
  const kept = Object.entries(resource).flatMap(([name, value]) => {
    const parts = unwanted.get(name.toLowerCase());
    if (ALWAYS.has(name) || parts === undefined) return [[name, value]];
    return parts.size === 0 ? [] : [[name, ofParts(value, (part) => !parts.has(part))]];
  });
  return Object.fromEntries(kept) as Partial<T>;
}

function ofParts(value: unknown, isKept: (part: string) => boolean): unknown {
  if (Array.isArray(value)) return value.map((item) => ofParts(item, isKept));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).filter(([part]) => isKept(part.toLowerCase())));
}

/** Whether any of an attribute is asked for: what nobody is shown need not be looked for. */
export function isShown({ attributes, excludedAttributes }: Shown, name: string): boolean {
  if (attributes && attributes.length > 0) return named(attributes).has(name);
  return named(excludedAttributes ?? []).get(name)?.size !== 0;
}
