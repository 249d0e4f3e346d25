import { isAbsolute, parseCanonical, parseReference } from '../references.ts';
import type { Reference } from '../types.ts';
import type { SearchParam } from './search-params.ts';
import { referenceIdToken, referenceToken, tokenHash, uriToken } from './tokens.ts';

/** Untyped ids are looked for in every type that the parameter may refer to, when these are few. */
const MOST_TARGETS = 10;

/** A reference to a resource of this server is found by `Type/id` and by the bare id. */
export function localTokens(param: SearchParam, projectId: string, type: string, id: string): bigint[] {
  return [referenceToken(param, projectId, `${type}/${id}`), referenceIdToken(param, projectId, id)];
}

/** Beside what says that it is in a compartment: that it is there by its accounts (`meta.accounts`), which no policy hides. */
export function accountTokens(param: SearchParam, projectId: string, accounts: readonly Reference[]): bigint[] {
  return accounts.map(({ reference = '' }) => referenceToken(param, projectId, `by account ${reference}`));
}

/** By these the policies are found that are based on others: each of them is one. */
export function basedOnTokens(projectId: string, references: readonly string[]): bigint[] {
  return references.map((reference) => tokenHash('based-on', projectId, reference));
}

/** Tokens to index of a literal reference. `baseUrl` is the server's own FHIR base: what stands below it is local. */
export function referenceTokens(param: SearchParam, projectId: string, text: string, baseUrl: string): bigint[] {
  const parsed = parseReference(text, baseUrl);
  if (!parsed || parsed.kind === 'contained') return [];
  if (parsed.kind === 'uri') return [uriToken(param, projectId, parsed.uri)];
  return localTokens(param, projectId, parsed.type, parsed.id);
}

/** Tokens to index of a canonical: with and without its version; one of this server as a reference, too. */
export function canonicalTokens(param: SearchParam, projectId: string, text: string, baseUrl: string): bigint[] {
  const { url, version, local } = parseCanonical(text, baseUrl);
  const names = version === undefined ? [url] : [url, `${url}|${version}`];
  const tokens = names.map((name) => uriToken(param, projectId, name));
  return local && param.type === 'reference'
    ? [...tokens, ...localTokens(param, projectId, local.type, local.id)]
    : tokens;
}

/**
 * The tokens of which a row that refers to `Type/id` has one. The last are of rows that were stored when own addresses and
 * canonicals were still indexed as they had been written.
 */
export function tokensReferringTo(
  param: SearchParam,
  projectId: string,
  local: { type: string; id: string },
  baseUrl: string | undefined,
): bigint[] {
  const name = `${local.type}/${local.id}`;
  return [referenceToken(param, projectId, name), ...asWritten(param, projectId, name, baseUrl)];
}

/** As tokensReferringTo, for an id without its type. */
export function tokensReferringToId(
  param: SearchParam,
  projectId: string,
  id: string,
  baseUrl: string | undefined,
): bigint[] {
  const types = param.targets.length > MOST_TARGETS ? [] : param.targets;
  const written = types.flatMap((type) => asWritten(param, projectId, `${type}/${id}`, baseUrl));
  return [referenceIdToken(param, projectId, id), ...written];
}

/** The tokens of which a row with this canonical has one: with a version only that version. */
export function tokensOfCanonical(
  param: SearchParam,
  projectId: string,
  text: string,
  baseUrl: string | undefined,
): bigint[] {
  const { url, version } = parseCanonical(text, baseUrl);
  const name = version === undefined ? url : `${url}|${version}`;
  const isOwn = baseUrl !== undefined && !isAbsolute(url);
  const names = isOwn ? [name, `${baseUrl}/${name}`] : [name];
  return names.map((form) => uriToken(param, projectId, form));
}

/** Whether values of the parameter may be canonicals: plain texts, where a Reference is an object. */
export function isCanonical({ type, path }: SearchParam): boolean {
  return path.some((branch) => branch.type === 'canonical' || (type === 'reference' && branch.type === 'uri'));
}

/** Whether it leads from one resource to others: what the platform says of it (`_compartment`) does not. */
export function isLink({ type, supported, code, inside }: SearchParam): boolean {
  return type === 'reference' && supported && !inside && !code.startsWith('_');
}

function asWritten(param: SearchParam, projectId: string, name: string, baseUrl: string | undefined): bigint[] {
  const relative = isCanonical(param) ? [name] : [];
  const absolute = baseUrl === undefined ? [] : [`${baseUrl}/${name}`];
  return [...relative, ...absolute].map((form) => uriToken(param, projectId, form));
}
