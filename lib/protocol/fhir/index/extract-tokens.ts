import { parseReference } from '../references.ts';
import type { Branch } from './path-compile.ts';
import type { SearchParam } from './search-params.ts';
import { codedTokens, codeToken, referenceIdToken, referenceToken, uriToken } from './tokens.ts';

type Coded = { system?: unknown; code?: unknown; value?: unknown };

/** Tokens of one value of a token, reference or uri parameter. */
export function extractTokens(param: SearchParam, branch: Branch, projectId: string, value: unknown): bigint[] {
  if (branch.truth) return [codeToken(param, projectId, String(value !== false))];
  if (param.type === 'uri') return typeof value === 'string' ? canonicalTokens(param, projectId, value) : [];
  if (param.type === 'reference') return referenceTokens(param, projectId, value);
  return coded(branch.type, value).flatMap((pair) => tokensOf(param, projectId, pair));
}

/** Tokens of an element that is missing but means something (ProjectMembership.active absent = active). */
export function absentTokens(param: SearchParam, projectId: string): bigint[] {
  return param.whenAbsent === undefined ? [] : [codeToken(param, projectId, param.whenAbsent)];
}

/** A reference to a resource of this server is found by `Type/id` and by the bare id. */
export function localTokens(param: SearchParam, projectId: string, type: string, id: string): bigint[] {
  return [referenceToken(param, projectId, `${type}/${id}`), referenceIdToken(param, projectId, id)];
}

type Pair = { system?: string; code?: string };

function tokensOf(param: SearchParam, projectId: string, pair: Pair): bigint[] {
  if (!param.plain) return codedTokens(param, projectId, pair);
  return pair.code === undefined ? [] : [codeToken(param, projectId, pair.code)];
}

function coded(type: string, value: unknown): Pair[] {
  if (typeof value === 'string' || typeof value === 'boolean') return [{ code: String(value) }];
  if (typeof value !== 'object' || value === null) return [];
  if (type === 'CodeableConcept') {
    const { coding } = value as { coding?: unknown };
    return Array.isArray(coding) ? coding.flatMap((item) => coded('Coding', item)) : [];
  }
  if (type === 'Reference') return referredType(value);
  const { system, code, value: identifier } = value as Coded;
  // A ContactPoint's system is "phone" or "email": no namespace of its value.
  if (type === 'ContactPoint') return [{ code: textOf(identifier) }];
  return [{ system: textOf(system), code: textOf(type === 'Identifier' ? identifier : code) }];
}

function referredType(value: object): Pair[] {
  const { reference, type } = value as { reference?: unknown; type?: unknown };
  const parsed = typeof reference === 'string' ? parseReference(reference) : undefined;
  const code = parsed?.kind === 'local' ? parsed.type : textOf(type);
  return code === undefined ? [] : [{ code }];
}

function referenceTokens(param: SearchParam, projectId: string, value: unknown): bigint[] {
  if (typeof value === 'string') return canonicalTokens(param, projectId, value);
  const { reference } = (value ?? {}) as { reference?: unknown };
  const parsed = typeof reference === 'string' ? parseReference(reference) : undefined;
  if (!parsed || parsed.kind === 'contained') return [];
  if (parsed.kind === 'uri') return [uriToken(param, projectId, parsed.uri)];
  return localTokens(param, projectId, parsed.type, parsed.id);
}

/** A canonical with a version is found with and without it. */
function canonicalTokens(param: SearchParam, projectId: string, value: string): bigint[] {
  const bar = value.indexOf('|');
  const forms = bar < 0 ? [value] : [value, value.slice(0, bar)];
  return forms.map((form) => uriToken(param, projectId, form));
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
