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
  | 'has'; // the parameter has a value

/** low: few values, shared by all projects; middle and selective: the project is part of the token (data.md, planner 1-3). */
export type TokenClass = 'low' | 'middle' | 'selective';

/** The part of a search parameter that its tokens depend on. */
export type TokenParam = { id: number; tokenClass: TokenClass; ignoreCase: boolean };

const MAX_KNOWN = 20_000;
const known = new Map<string, bigint>();
const present = new Map<number, bigint>();
const bits = new DataView(new ArrayBuffer(8));

/** 64-bit signed: the first 8 bytes of SHA-256 over length-prefixed parts. */
export function tokenHash(...parts: string[]): bigint {
  return hashOf(toText(parts));
}

function toText(parts: readonly string[]): string {
  let text = VERSION;
  for (const part of parts) text += `|${part.length}:${part}`;
  return text;
}

/** By a text of one character a byte, which costs half of what a Buffer does: of indexing a resource, hashing is the most. */
function hashOf(text: string): bigint {
  const bytes = hash('sha256', text, 'binary');
  for (let at = 0; at < 8; at += 1) bits.setUint8(at, bytes.charCodeAt(at));
  return bits.getBigInt64(0);
}

/** What is hashed before the length and the text of a reference or URI, which SQL adds of a row (lib/domain/store/links/referred.ts). */
export function tokenHead(param: { id: number }, projectId: string, kind: 'reference' | 'uri'): string {
  const parts = [kind, String(param.id), projectId].map((part) => `|${part.length}:${part}`);
  return `${VERSION}${parts.join('')}`;
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

/** A word of a name that sounds so (sounds.ts). */
export function soundToken(param: TokenParam, projectId: string, sound: string): bigint {
  return tokenHash('sound', String(param.id), projectId, sound);
}

/** "Has a value" (`:missing=false`). Always low: shared by all projects, but for what only one of them knows. */
export function hasToken({ id, own }: { id: number; own?: { projectId: string } }): bigint {
  if (own) return tokenHash('has', String(id), '', own.projectId);
  let token = present.get(id);
  if (token === undefined) {
    token = tokenHash('has', String(id), '');
    present.set(id, token);
  }
  return token;
}

/** Of codes, and of what all projects share: they come again and again. */
function knownHash(...parts: string[]): bigint {
  const text = toText(parts);
  let token = known.get(text);
  if (token === undefined) {
    token = hashOf(text);
    if (known.size >= MAX_KNOWN) known.clear();
    known.set(text, token);
  }
  return token;
}

function key({ id, tokenClass }: TokenParam, projectId: string, kind: Kind, ...values: string[]): bigint {
  if (tokenClass === 'selective') return tokenHash(kind, String(id), projectId, ...values);
  return knownHash(kind, String(id), tokenClass === 'low' ? '' : projectId, ...values);
}

function fold(param: TokenParam, code: string): string {
  return param.ignoreCase ? code.toLowerCase() : code;
}
