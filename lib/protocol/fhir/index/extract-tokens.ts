import { parseReference } from '../references.ts';
import type { Branch } from './path-compile.ts';
import { canonicalTokens, localTokens, referenceTokens } from './reference-tokens.ts';
import type { SearchParam } from './search-params.ts';
import { codedTokens, codeToken, uriToken } from './tokens.ts';

type Coded = { system?: unknown; code?: unknown; value?: unknown };

/** Whose tokens: `baseUrl` is the server's own FHIR base, and what stands below it is local. */
export type Place = { projectId: string; baseUrl: string };

/** Tokens of one value of a token, reference or uri parameter. */
export function extractTokens(
  param: SearchParam,
  branch: Branch,
  { projectId, baseUrl }: Place,
  value: unknown,
): bigint[] {
  if (branch.truth) return [codeToken(param, projectId, String(value !== false))];
  if (param.type === 'uri') return uriTokens(param, branch, { projectId, baseUrl }, value);
  if (param.type === 'reference') return referred(param, { projectId, baseUrl }, value);
  return codedPairs(branch.type, value, baseUrl).flatMap((pair) => tokensOf(param, projectId, pair));
}

/** Tokens of an element that is missing but means something (ProjectMembership.active absent = active). */
export function absentTokens(param: SearchParam, projectId: string): bigint[] {
  return param.whenAbsent === undefined ? [] : [codeToken(param, projectId, param.whenAbsent)];
}

/** A coded value. */
type Pair = { system?: string; code?: string };

function tokensOf(param: SearchParam, projectId: string, pair: Pair): bigint[] {
  if (!param.plain) return codedTokens(param, projectId, pair);
  return pair.code === undefined ? [] : [codeToken(param, projectId, pair.code)];
}

/** The codes of a value with their systems, in whichever form the type has them. */
export function codedPairs(type: string, value: unknown, baseUrl: string): Pair[] {
  if (typeof value === 'string' || typeof value === 'boolean') return [{ code: String(value) }];
  if (typeof value !== 'object' || value === null) return [];
  if (type === 'CodeableConcept') {
    const { coding } = value as { coding?: unknown };
    return Array.isArray(coding) ? coding.flatMap((item) => codedPairs('Coding', item, baseUrl)) : [];
  }
  if (type === 'Reference') return referredType(value, baseUrl);
  const { system, code, value: identifier } = value as Coded;
  // A ContactPoint's system is "phone" or "email": no namespace of its value.
  if (type === 'ContactPoint') return [{ code: textOf(identifier) }];
  return [{ system: textOf(system), code: textOf(type === 'Identifier' ? identifier : code) }];
}

function referredType(value: object, baseUrl: string): Pair[] {
  const { reference, type } = value as { reference?: unknown; type?: unknown };
  const parsed = typeof reference === 'string' ? parseReference(reference, baseUrl) : undefined;
  const code = parsed?.kind === 'local' ? parsed.type : textOf(type);
  return code === undefined ? [] : [{ code }];
}

function referred(param: SearchParam, { projectId, baseUrl }: Place, value: unknown): bigint[] {
  if (typeof value === 'string') return canonicalTokens(param, projectId, value, baseUrl);
  if (param.inside) return insideTokens(param, projectId, value ?? {});
  const { reference } = (value ?? {}) as { reference?: unknown };
  return typeof reference === 'string' ? referenceTokens(param, projectId, reference, baseUrl) : [];
}

/** Of a resource that stands inside, if it has an id there. */
function insideTokens(param: SearchParam, projectId: string, value: object): bigint[] {
  const { resourceType, id } = value as { resourceType?: unknown; id?: unknown };
  return typeof id === 'string' ? localTokens(param, projectId, String(resourceType), id) : [];
}

/** A URI is what it says; only a canonical has versions, and an address below the server's own base. */
function uriTokens(param: SearchParam, { type }: Branch, { projectId, baseUrl }: Place, value: unknown): bigint[] {
  if (typeof value !== 'string') return [];
  return type === 'canonical' ? canonicalTokens(param, projectId, value, baseUrl) : [uriToken(param, projectId, value)];
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
