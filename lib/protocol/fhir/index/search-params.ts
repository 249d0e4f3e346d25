import { SEARCH_PARAMS } from '../generated/r4.ts';
import { COMMON_PARAMS, IDENTITY_PARAMS, type ParamSpec } from '../identity/params.ts';
import type { SearchParamType } from '../search-param-type.ts';
import { codeSet } from '../structures.ts';
import { isResourceType, typeId } from '../type-ids.ts';
import { compartmentsOf } from './compartments.ts';
import { type Branch, compilePath, narrow } from './path-compile.ts';
import { tokenClassOf } from './token-class.ts';
import type { TokenClass } from './tokens.ts';

export type SearchParam = {
  code: string;
  type: SearchParamType;
  /** Stable number, the resource type inside: part of the data format. */
  id: number;
  base: string;
  tokenClass: TokenClass;
  /** Resource types a reference may point at; empty when any. */
  targets: readonly string[];
  path: readonly Branch[];
  /** False: known, but not indexed yet. A search with it is refused. */
  supported: boolean;
  ignoreCase: boolean;
  /** No value can have a system (codes, booleans, ids): one token per value is enough. */
  plain: boolean;
  /** All values are booleans. */
  boolean: boolean;
  /** The system that the binding of a plain code implies. */
  impliedSystem?: string;
  whenAbsent?: string;
  sortedBy?: readonly string[];
};

const INDEXED: Partial<Record<SearchParamType, ReadonlySet<string>>> = {
  token: new Set(
    'code string boolean id uri canonical Coding CodeableConcept Identifier ContactPoint Reference'.split(' '),
  ),
  string: new Set(['string', 'markdown', 'HumanName', 'Address']),
  reference: new Set(['Reference', 'canonical', 'uri']),
  date: new Set(['date', 'dateTime', 'instant', 'Period', 'Timing']),
  uri: new Set(['uri', 'url', 'canonical', 'oid']),
};
const PLAIN = new Set(['code', 'string', 'boolean', 'id', 'uri', 'canonical', 'Reference']);
/** Indexable, but a plain text match is not what they promise. */
const UNFAITHFUL = new Set(['phonetic']);
/** Own parameters of a type are numbered from here, in the order of the frozen R4 package; below stand the common ones. */
const FIRST_OWN = 20;
const PER_TYPE = 1000;
/** Above the own ones: the rest of long texts of the string parameter that many below. */
const WINDOWS = 500;
/** The date that `sort_date` holds: the first of these that the type has. */
const PRINCIPAL_DATES =
  'date period effective authored authoredon created recorded-date recorded onset-date occurrence issued sent start received birthdate date-written'.split(
    ' ',
  );

const byType = new Map<string, ReadonlyMap<string, SearchParam>>();
let linesByBase: Map<string, string[]> | undefined;

/** The parameter of this type with this code, common ones (`_id`, `_tag`…) included. */
export function searchParam(type: string, code: string): SearchParam | undefined {
  return paramsOf(type).get(code);
}

/** All parameters of a type, common ones first. */
export function searchParamsOf(type: string): SearchParam[] {
  return [...paramsOf(type).values()];
}

/** The date parameter whose earliest low bound is the row's sort_date. */
export function principalDate(type: string): SearchParam | undefined {
  const params = paramsOf(type);
  const code = PRINCIPAL_DATES.find((name) => params.get(name)?.type === 'date');
  return code === undefined ? undefined : params.get(code);
}

/** Under which number the windows of a string parameter's long texts are indexed. Part of the data format. */
export function windowsOf({ id }: SearchParam): number {
  return id + WINDOWS;
}

function paramsOf(type: string): ReadonlyMap<string, SearchParam> {
  let params = byType.get(type);
  if (!params) {
    const specs = isResourceType(type) ? specsOf(type) : [];
    params = new Map(specs.map((spec) => [spec.code, compileParam(spec, pathOf(spec, specs))]));
    if (isResourceType(type)) byType.set(type, params);
  }
  return params;
}

function specsOf(type: string): ParamSpec[] {
  linesByBase ??= Map.groupBy(SEARCH_PARAMS.split('\n'), (line) => line.slice(0, line.indexOf('\t')));
  const official = (linesByBase.get(type) ?? []).map((line, index) => parseLine(line, FIRST_OWN + index));
  const common = COMMON_PARAMS.map((spec) => ({
    ...spec,
    base: type,
    expression: spec.expression.replaceAll('Resource', type),
  }));
  return [...common, ...official, ...IDENTITY_PARAMS.filter(({ base }) => base === type)];
}

/** Line format: base, code, type, expression, targets; tabs between. */
function parseLine(line: string, number: number): ParamSpec {
  const [base = '', code = '', type = '', expression = '', targets = ''] = line.split('\t');
  return { base, number, code, type: type as SearchParamType, expression, targets: targets ? targets.split(',') : [] };
}

function pathOf(spec: ParamSpec, specs: ParamSpec[]): Branch[] {
  const path = compilePath(spec.base, spec.expression).filter((branch) => isIndexed(spec.type, branch));
  return spec.code === '_compartment' ? [...path, ...memberships(spec.base, specs)] : path;
}

/** The references that put a resource of this type into a compartment. */
function memberships(base: string, specs: ParamSpec[]): Branch[] {
  return compartmentsOf(base).flatMap(({ compartment, params }) =>
    specs
      .filter(({ code, type }) => type === 'reference' && params.includes(code))
      .flatMap(({ expression }) => compilePath(base, expression))
      .filter(({ type }) => type === 'Reference')
      .map((branch) => narrow(branch, compartment)),
  );
}

function compileParam(spec: ParamSpec, path: Branch[]): SearchParam {
  const { base, code, type, whenAbsent, targets = [] } = spec;
  const types = new Set(path.map((branch) => (branch.truth ? 'boolean' : branch.type)));
  const plain = path.every((branch) => branch.truth || PLAIN.has(branch.type));
  return {
    code,
    type,
    id: typeId(base) * PER_TYPE + spec.number,
    base,
    tokenClass: tokenClassOf(type, code, path),
    targets,
    path,
    supported: path.length > 0 && !UNFAITHFUL.has(code),
    ignoreCase: spec.ignoreCase ?? types.has('ContactPoint'),
    plain,
    boolean: types.size === 1 && types.has('boolean'),
    impliedSystem: plain ? impliedSystem(path) : undefined,
    whenAbsent: whenAbsent ?? (path.some((branch) => branch.truth) ? 'false' : undefined),
    sortedBy: spec.sortedBy,
  };
}

function isIndexed(type: SearchParamType, branch: Branch): boolean {
  return branch.truth || INDEXED[type]?.has(branch.type) === true;
}

function impliedSystem(path: Branch[]): string | undefined {
  const systems = new Set(path.map(({ codes }) => (codes ? codeSet(codes)?.system : undefined)));
  return systems.size === 1 ? [...systems][0] : undefined;
}
