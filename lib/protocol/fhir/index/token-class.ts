import type { Branch } from './path-compile.ts';
import type { TokenClass } from './tokens.ts';

/** Coded parameters with a handful of values, though their binding is not required. */
const FEW_VALUES = new Set(['category', 'class', 'profile-type', 'status', 'active', 'admin', 'clinical-status']);
/** URIs that many resources share. */
const SHARED_URIS = new Set(['_profile', '_source']);
const UNIQUE = new Set(['Identifier', 'ContactPoint', 'string', 'id']);

/**
 * How many rows a value of the parameter matches (data.md, planner lesson 3). It decides what the token contains, so a
 * change here needs a re-index.
 */
export function tokenClassOf(type: string, code: string, path: readonly Branch[]): TokenClass {
  if (type === 'uri') return SHARED_URIS.has(code) ? 'middle' : 'selective';
  if (type !== 'token') return 'selective';
  if (FEW_VALUES.has(code) || path.every(isClosed)) return 'low';
  return path.every((branch) => UNIQUE.has(branch.type)) ? 'selective' : 'middle';
}

function isClosed(branch: Branch): boolean {
  return branch.truth || branch.type === 'boolean' || branch.codes !== undefined;
}
