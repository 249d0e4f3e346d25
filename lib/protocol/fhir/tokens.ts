import { hash } from 'node:crypto';

/**
 * Part of the data format. Change the encoding only together with this number and a re-index of every row.
 */
const VERSION = '1';

/** What a token says about the parameter's value. */
type Kind =
  | 'code' // any system
  | 'system-code'
  | 'bare-code' // no system
  | 'system'
  | 'reference' // Type/id
  | 'reference-id' // id of any type
  | 'uri'
  | 'exact' // a string value, case and accents kept
  | 'has' // the parameter has a value
  | 'compartment';

/** low: few values, shared by all projects; middle and selective: the project is part of the token (data.md, planner 1-3). */
export type TokenClass = 'low' | 'middle' | 'selective';

/** The part of a search parameter that its tokens depend on. */
export type TokenParam = { id: number; tokenClass: TokenClass; ignoreCase: boolean };

/** 64-bit signed: the first 8 bytes of SHA-256 over length-prefixed parts. */
export function tokenHash(...parts: string[]): bigint {
  let text = VERSION;
  for (const part of parts) text += `|${part.length}:${part}`;
  return hash('sha256', text, 'buffer').readBigInt64BE(0);
}

/** Tokens to index for a coded value. A value without a code only has its system. */
export function codedTokens(param: TokenParam, projectId: string, value: { system?: string; code?: string }): bigint[] {
  const { system, code } = value;
  const tokens: bigint[] = [];
  if (code !== undefined) {
    tokens.push(codeToken(param, projectId, code));
    tokens.push(
      system === undefined ? bareCodeToken(param, projectId, code) : systemCodeToken(param, projectId, system, code),
    );
  }
  if (system !== undefined) tokens.push(systemToken(param, projectId, system));
  return tokens;
}

/** `code`: this code in any system, or in none. */
export function codeToken(param: TokenParam, projectId: string, code: string): bigint {
  return key(param, projectId, 'code', fold(param, code));
}

/** `system|code`. */
export function systemCodeToken(param: TokenParam, projectId: string, system: string, code: string): bigint {
  return key(param, projectId, 'system-code', system, fold(param, code));
}

/** `|code`: this code, without a system. */
export function bareCodeToken(param: TokenParam, projectId: string, code: string): bigint {
  return key(param, projectId, 'bare-code', fold(param, code));
}

/** `system|`: any code of the system. */
export function systemToken(param: TokenParam, projectId: string, system: string): bigint {
  return key(param, projectId, 'system', system);
}

/** `Type/id`, without version. */
export function referenceToken(param: TokenParam, projectId: string, reference: string): bigint {
  return key(param, projectId, 'reference', reference);
}

/** A reference to this id, whatever its type. */
export function referenceIdToken(param: TokenParam, projectId: string, id: string): bigint {
  return key(param, projectId, 'reference-id', id);
}

/** A URI, canonical or absolute reference, as it is. */
export function uriToken(param: TokenParam, projectId: string, uri: string): bigint {
  return key(param, projectId, 'uri', uri);
}

/** A string value for `:exact`: case and accents count. Always selective, whatever the parameter's class. */
export function exactToken(param: TokenParam, projectId: string, value: string): bigint {
  return tokenHash('exact', String(param.id), projectId, value);
}

/** "Has a value" (`:missing=false`). Always low: shared by all projects. */
export function hasToken(param: { id: number }): bigint {
  return tokenHash('has', String(param.id), '');
}

/** The resource (of type `typeId`) belongs to this compartment (`Patient/x`). Selective. */
export function compartmentToken(typeId: number, projectId: string, compartment: string): bigint {
  return tokenHash('compartment', String(typeId), projectId, compartment);
}

function key(param: TokenParam, projectId: string, kind: Kind, ...values: string[]): bigint {
  return tokenHash(kind, String(param.id), param.tokenClass === 'low' ? '' : projectId, ...values);
}

function fold(param: TokenParam, code: string): string {
  return param.ignoreCase ? code.toLowerCase() : code;
}
