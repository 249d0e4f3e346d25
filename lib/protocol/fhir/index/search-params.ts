import { SEARCH_PARAMS } from '../generated/r4.ts';
import { COMMON_PARAMS, IDENTITY_PARAMS, type ParamSpec } from '../identity/params.ts';
import type { SearchParamType } from '../search-param-type.ts';
import { codeSet } from '../structures.ts';
import { isResourceType, typeId } from '../type-ids.ts';
import { shareIndex } from './combined-params.ts';
import { compartmentsOf } from './compartments.ts';
import { type CompositeKind, compositeKind } from './composite-kind.ts';
import { FIRST_OWN, PER_TYPE } from './format.ts';
import { type Branch, compilePath, narrow, ofType } from './path-compile.ts';
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
  /** Found by how it sounds. */
  heard: boolean;
  /** Its values are resources that stand inside (Bundle.composition), found by their type and id: nothing leads over it. */
  inside: boolean;
  /** All values are booleans. */
  boolean: boolean;
  /** The system that the binding of a plain code implies. */
  impliedSystem?: string;
  whenAbsent?: string;
  sortedBy?: readonly string[];
  /** Under which numbers its values are indexed: its own, or those of the parameters that it combines. */
  indexedAs: readonly number[];
  /** Of a composite: its elements, and how they are indexed. */
  groups: readonly Group[];
  kind?: CompositeKind;
  /** Of a project, and not R4's: nobody else knows it. Until it is ready, rows may lack its entries. */
  own?: { projectId: string; isReady: boolean };
};

/** One part of a composite: a parameter that starts at the composite's own element, or at the resource. */
export type Part = { param: SearchParam; fromResource: boolean };
/** Where a composite's elements stand, and what each has. */
export type Group = { branch: Branch; parts: readonly Part[] };

const INDEXED: Partial<Record<SearchParamType, ReadonlySet<string>>> = {
  token: new Set(
    'code string boolean id uri canonical Coding CodeableConcept Identifier ContactPoint Reference'.split(' '),
  ),
  string: new Set(['string', 'markdown', 'HumanName', 'Address']),
  reference: new Set(['Reference', 'canonical', 'uri']),
  date: new Set(['date', 'dateTime', 'instant', 'Period', 'Timing']),
  uri: new Set(['uri', 'url', 'canonical', 'oid']),
  number: new Set(['integer', 'decimal', 'positiveInt', 'unsignedInt', 'Range']),
  quantity: new Set(
    'Quantity Age Count Distance Duration Money SampledData Range MoneyQuantity SimpleQuantity'.split(' '),
  ),
  special: new Set(['Location.position']),
};
/** R4 calls a code a reference and its target a token, of DocumentReference.relatesTo. */
const MISTAKEN: Partial<Record<SearchParamType, SearchParamType>> = { reference: 'token', token: 'reference' };
const PLAIN = new Set(['code', 'string', 'boolean', 'id', 'uri', 'canonical', 'Reference']);
/** Found by how they sound, and not by their letters. */
const HEARD = new Set(['phonetic']);
/** The date that `sort_date` holds: the first of these that the type has. */
const PRINCIPAL_DATES =
  'date period effective authored authoredon created recorded-date recorded onset-date occurrence issued sent start received birthdate date-written'.split(
    ' ',
  );

const byType = new Map<string, ReadonlyMap<string, SearchParam>>();
let linesByBase: Map<string, string[]> | undefined;

/** The parameters of a project's own, by type. */
export type OwnParams = ReadonlyMap<string, readonly SearchParam[]>;

const ownByProject = new Map<string, OwnParams>();

/** What this process knows of a project from now on (lib/domain/store/own-params/know-params.ts). */
export function tellOwnParams(projectId: string, params: OwnParams): void {
  if (params.size > 0) ownByProject.set(projectId, params);
  else ownByProject.delete(projectId);
}

/** The project's own parameters of a type. */
export function ownParamsOf(type: string, projectId: string): readonly SearchParam[] {
  return ownByProject.get(projectId)?.get(type) ?? NONE;
}

const NONE: readonly SearchParam[] = [];

/** The parameter of this type with this code, common ones (`_id`, `_tag`…) included, and with a project its own. */
export function searchParam(type: string, code: string, projectId?: string): SearchParam | undefined {
  return (
    paramsOf(type).get(code) ?? (projectId ? ownParamsOf(type, projectId).find((own) => own.code === code) : undefined)
  );
}

/** All parameters of a type, common ones first, and with a project its own. */
export function searchParamsOf(type: string, projectId?: string): readonly SearchParam[] {
  const own = projectId ? ownParamsOf(type, projectId) : NONE;
  const known = lists.get(type) ?? listOf(type);
  return own.length === 0 ? known : [...known, ...own];
}

const lists = new Map<string, readonly SearchParam[]>();

function listOf(type: string): readonly SearchParam[] {
  const list = [...paramsOf(type).values()];
  if (isResourceType(type)) lists.set(type, list);
  return list;
}

/** The date parameter whose earliest low bound is the row's sort_date. */
export function principalDate(type: string): SearchParam | undefined {
  const params = paramsOf(type);
  const code = PRINCIPAL_DATES.find((name) => params.get(name)?.type === 'date');
  return code === undefined ? undefined : params.get(code);
}

function paramsOf(type: string): ReadonlyMap<string, SearchParam> {
  let params = byType.get(type);
  if (!params) {
    const specs = isResourceType(type) ? specsOf(type) : [];
    const compiled = specs.map((spec) => ({ ...compileParam(spec, pathOf(spec, specs)), heard: HEARD.has(spec.code) }));
    params = new Map(shareIndex(compiled).map((param) => [param.code, param]));
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

/** Line format: base, code, type, expression, targets, components of a composite; tabs between. */
function parseLine(line: string, number: number): ParamSpec {
  const [base = '', code = '', type = '', expression = '', targets = '', parts] = line.split('\t');
  return {
    base,
    number,
    code,
    type: type as SearchParamType,
    expression,
    targets: targets ? targets.split(',') : [],
    components: parts?.split(';'),
  };
}

function pathOf(spec: ParamSpec, specs: ParamSpec[]): Branch[] {
  if (spec.components) return compilePath(spec.base, spec.expression);
  const path = compilePath(spec.base, spec.expression).flatMap((branch) => {
    if (isInside(spec.type, branch)) return ofType(branch, spec.targets?.[0] ?? '');
    return isIndexed(spec.type, branch) ? branch : [];
  });
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

/** `path` leads to nothing but what such a parameter indexes. */
export function compileParam(spec: ParamSpec, path: Branch[]): SearchParam {
  const { base, code, type, whenAbsent, targets = [] } = spec;
  const types = new Set(path.map((branch) => (branch.truth ? 'boolean' : branch.type)));
  const groups = (spec.components ? path : []).flatMap((branch) => groupOf(spec, branch) ?? []);
  const kind = compositeKind(groups[0]?.parts.map(({ param }) => param.type) ?? []);
  const plain = path.every((branch) => branch.truth || PLAIN.has(branch.type));
  return {
    code,
    type,
    id: typeId(base) * PER_TYPE + spec.number,
    base,
    tokenClass: tokenClassOf(type, code, path),
    targets,
    path,
    supported: path.length > 0 && (type !== 'composite' || kind !== undefined),
    ignoreCase: spec.ignoreCase ?? types.has('ContactPoint'),
    plain,
    heard: false,
    inside: path.some((branch) => isInside(type, branch)),
    boolean: types.size === 1 && types.has('boolean'),
    impliedSystem: plain ? impliedSystem(path) : undefined,
    whenAbsent: whenAbsent ?? (path.some((branch) => branch.truth) ? 'false' : undefined),
    sortedBy: spec.sortedBy,
    indexedAs: [typeId(base) * PER_TYPE + spec.number],
    groups,
    kind,
  };
}

const FROM_RESOURCE = '%resource.';

/** The parts of a composite where this branch leads; undefined when one of them cannot stand there. */
function groupOf(spec: ParamSpec, branch: Branch): Group | undefined {
  const parts = (spec.components ?? []).map((component): Part => {
    const at = component.indexOf(':');
    const [stated, expression] = [component.slice(0, at) as SearchParamType, component.slice(at + 1)];
    const fromResource = expression.startsWith(FROM_RESOURCE);
    const terms = expression.split('|').map((term) => `this.${term.trim().replace(FROM_RESOURCE, '')}`);
    const found = compilePath(fromResource ? spec.base : branch.type, terms.join('|'));
    const type = found.some((value) => isIndexed(stated, value)) ? stated : (MISTAKEN[stated] ?? stated);
    const path = found.filter((value) => isIndexed(type, value));
    const { base, number, code } = spec;
    return { param: compileParam({ base, number, code, type, expression }, path), fromResource };
  });
  return parts.every(({ param }) => param.path.length > 0) ? { branch, parts } : undefined;
}

/** Whether values that are found so can be searched by a parameter of this type. */
export function isIndexed(type: SearchParamType, branch: Branch): boolean {
  return branch.truth || INDEXED[type]?.has(branch.type) === true;
}

function isInside(type: SearchParamType, branch: Branch): boolean {
  return type === 'reference' && branch.type === 'Resource';
}

function impliedSystem(path: Branch[]): string | undefined {
  const systems = new Set(path.map(({ codes }) => (codes ? codeSet(codes)?.system : undefined)));
  return systems.size === 1 ? [...systems][0] : undefined;
}
