import type { Branch } from './path-compile.ts';
import { type TokenParam, tokenHash } from './tokens.ts';

// What a value is found by with a modifier, and not without: part of the data format.

/** Levels of an address that `:below` knows. */
export const MOST_LEVELS = 32;

type Known = { system?: unknown; value?: unknown };
type Typed = Known & { type?: { coding?: unknown } };
type Param = TokenParam & { type: string };

/** Tokens of one value: of an identifier with its type, a reference with an identifier, and of all that an address lies below. */
export function modifierTokens(param: Param, branch: Branch, projectId: string, value: unknown): bigint[] {
  if (param.type === 'uri')
    return typeof value === 'string' && !isInMeta(branch) ? belowTokens(param, projectId, value) : [];
  if (typeof value !== 'object' || value === null) return [];
  if (param.type === 'reference') {
    if (branch.type !== 'Reference') return [];
    const { identifier } = value as { identifier?: Known };
    return identifier ? logicalTokens(param, projectId, identifier) : [];
  }
  return branch.type === 'Identifier' ? typedTokens(param, projectId, value) : [];
}

/** An identifier of this type with this value (`:of-type`). */
export function ofTypeToken(
  param: TokenParam,
  projectId: string,
  parts: [system: string, code: string, value: string],
): bigint {
  return tokenHash('of-type', String(param.id), projectId, ...parts);
}

/** A reference that says who is meant by an identifier (`:identifier`), of any system, of one, or of none ('' ). */
export function logicalToken(param: TokenParam, projectId: string, value: string, system?: string): bigint {
  const parts = system === undefined ? [value] : [system, value];
  return tokenHash('logical', String(param.id), projectId, ...parts);
}

/** What lies below an address, that one among them (`:below`). */
export function belowToken(param: TokenParam, projectId: string, uri: string): bigint {
  return tokenHash('below', String(param.id), projectId, uri.replace(/\/+$/, ''));
}

/** An address and all above it, the nearest last: `http://a/b/c`, `http://a/b` and `http://a`. */
export function levelsOf(uri: string): string[] {
  const whole = uri.replace(/\/+$/, '');
  const start = whole.indexOf('://') < 0 ? 0 : whole.indexOf('://') + 3;
  const levels: string[] = [];
  for (let at = whole.indexOf('/', start); at >= 0; at = whole.indexOf('/', at + 1)) levels.push(whole.slice(0, at));
  return [...levels, whole];
}

function belowTokens(param: Param, projectId: string, value: string): bigint[] {
  // A canonical may have a version.
  return levelsOf(value.replace(/\|.*$/s, ''))
    .slice(0, MOST_LEVELS)
    .map((level) => belowToken(param, projectId, level));
}

/** Of each resource: what `_profile` and `_source` say comes too often. */
function isInMeta({ hops: [first] }: Branch): boolean {
  return first !== undefined && 'property' in first && first.property === 'meta';
}

function logicalTokens(param: Param, projectId: string, { system, value }: Known): bigint[] {
  if (typeof value !== 'string') return [];
  const by = typeof system === 'string' ? system : '';
  return [logicalToken(param, projectId, value), logicalToken(param, projectId, value, by)];
}

function typedTokens(param: Param, projectId: string, { type, value }: Typed): bigint[] {
  const coding = Array.isArray(type?.coding) ? (type.coding as { system?: unknown; code?: unknown }[]) : [];
  return coding.flatMap(({ system, code }) => {
    const isWhole = typeof system === 'string' && typeof code === 'string' && typeof value === 'string';
    return isWhole ? [ofTypeToken(param, projectId, [system, code, value])] : [];
  });
}
