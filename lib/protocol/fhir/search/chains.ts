import { isLink } from '../index/reference-tokens.ts';
import { type SearchParam, searchParam } from '../index/search-params.ts';
import { isFhirId } from '../references.ts';
import { isResourceType, resourceTypes } from '../type-ids.ts';
import { isWordParam } from '../words/text-search.ts';
import { MAX_WORDS, type WordBudget } from '../words/word-grammar.ts';
import { wordsFilter } from '../words/words-filter.ts';
import { type FilterBudget, MAX_COMPARISONS } from './filter-grammar.ts';
import { type FilterContext, filterOf } from './filters.ts';

import { gated } from './gate.ts';
import type { Expr, Link } from './ir.ts';
import { badParameter, requireBuilt, type SearchValue, splitName, unknownParameter } from './values.ts';

/** `read`: what is asked at the end of a chain, where who asks reads its values by themselves. */
export type LinkContext = Omit<FilterContext, 'name'> & {
  budget: LinkBudget;
  leaf?: Leaf;
  read?: (param: SearchParam, modifier: string | undefined) => Expr;
};

/** What is asked of the parameter at the end of a chain, where no modifier and no values say it. */
type Leaf = (param: SearchParam) => Expr;

/** Links of one search: each is a search of its own; comparisons of its filters, and words. */
export type LinkBudget = FilterBudget & WordBudget & { left: number };

const MAX_DEPTH = 5;
const MAX_LINKS = 20;
/** Of a chain that names none. */
const MOST_TYPES = 10;
/** Of one link as it is named: longer than all types and codes that there are. */
const MAX_NAME = 1000;

export function linkBudget(): LinkBudget {
  return { left: MAX_LINKS, comparisons: MAX_COMPARISONS, words: MAX_WORDS };
}

/** Whether the name of a parameter asks something of other resources (R4 search §3.1.1.4.6, .7, .12). */
export function isLinked(name: string): boolean {
  return name.includes('.') || name.startsWith('_has:') || name === '_list';
}

/** The links of one parameter, of which any may hold. Throws AppError invalid (400), naming the parameter; unknownParameter for what is not known in it. */
export function linksOf(type: string, name: string, values: SearchValue[], context: LinkContext): Link[] {
  if (name.length > MAX_NAME) throw badParameter(name.slice(0, 80), 'The name of a search parameter is too long');
  if (name === '_list') return readList(type, values, context);
  return readLinks(type, name, values, { ...context, name, depth: 1 });
}

/** `_list=id`: what a List has among its items. Its modifiers and the lists that a server keeps by itself (`$current-…`) are not known. */
function readList(type: string, values: SearchValue[], context: LinkContext): Link[] {
  const unknown = values.find((value) => !isFhirId(value.join('|')));
  if (unknown) throw badParameter('_list', '_list must be the id of a List');
  return [readHas(type, '_has:List:item:_id', values, { ...context, name: '_list', depth: 1 })];
}

type Place = LinkContext & { name: string; depth: number };

function readLinks(type: string, rest: string, values: SearchValue[], place: Place): Link[] {
  if (place.depth > MAX_DEPTH)
    throw badParameter(place.name, `${place.name} goes over more than ${MAX_DEPTH} references`);
  return rest.startsWith('_has:') ? [readHas(type, rest, values, place)] : readChain(type, rest, values, place);
}

/** `_has:Type:reference:parameter`, where the parameter may be another one of these, or a chain. */
function readHas(type: string, rest: string, values: SearchValue[], place: Place): Link {
  const { name } = place;
  const [, source = '', code = '', ...end] = rest.split(':');
  if (!isResourceType(source)) throw unknownParameter(name, `Unknown resource type in ${name}: ${source}`);
  const param = requireReference(source, code, place);
  if (param.targets.length > 0 && !param.targets.includes(type)) {
    throw unknownParameter(name, `${source}:${code} does not refer to ${type}`);
  }
  return link({ way: 'from', name, type: source, param }, end.join(':'), values, place);
}

/** `reference:Type.parameter`, or without the type: then all that the reference may lead to and that have the parameter. */
function readChain(type: string, rest: string, values: SearchValue[], place: Place): Link[] {
  const { name } = place;
  const dot = rest.indexOf('.');
  const [code, only] = splitName(rest.slice(0, dot));
  const param = requireReference(type, code, place);
  const end = rest.slice(dot + 1);
  if (only !== undefined && !isResourceType(only))
    throw unknownParameter(name, `Unknown resource type in ${name}: ${only}`);
  if (only !== undefined && param.targets.length > 0 && !param.targets.includes(only)) {
    throw unknownParameter(name, `${code} does not refer to ${only}`);
  }
  const types = only === undefined ? typesWith(param, end, place) : [only];
  return types.map((other) => link({ way: 'to', name, type: other, param }, end, values, place));
}

function typesWith({ code, targets }: SearchParam, end: string, { name, projectId }: Place): string[] {
  const [next = '', source = '', by = ''] = end.split(/[.:]/, 3);
  // Behind a `_has`, only what its reference may refer to.
  const referring = next === '_has' ? searchParam(source, by, projectId)?.targets : undefined;
  const known = (type: string) => {
    if (next !== '_has') return isWordParam(next) || searchParam(type, next, projectId) !== undefined;
    return !referring?.length || referring.includes(type);
  };
  const types = (targets.length > 0 ? targets : resourceTypes()).filter(known);
  if (types.length === 0) throw unknownParameter(name, `Unknown search parameter: ${next}, of what ${code} refers to`);
  if (types.length <= MOST_TYPES) return types;
  throw badParameter(name, `${name} means too many types: name one, as ${code}:${types[0]}.${end}`);
}

function link(begun: Omit<Link, 'condition'>, end: string, values: SearchValue[], place: Place): Link {
  const { name, budget, projectId } = place;
  budget.left -= 1;
  if (budget.left < 0)
    throw badParameter(name, `A search takes at most ${MAX_LINKS} chained types, and _has among them`);
  if (isLinked(end)) {
    return { ...begun, condition: { anyOf: readLinks(begun.type, end, values, { ...place, depth: place.depth + 1 }) } };
  }
  const [code, modifier] = splitName(end);
  if (isWordParam(code) && !place.leaf && !place.read) {
    const filter = wordsFilter(begun.type, { code, modifier }, values, place);
    return { ...begun, condition: { filter: gated(filter, place.gate?.(begun.type, code), false) } };
  }
  const param = searchParam(begun.type, code, projectId);
  if (!param) throw unknownParameter(name, `Unknown search parameter of ${begun.type}: ${code}`);
  if (!param.supported) throw unknownParameter(name, `Search parameter ${code} of ${begun.type} is not supported`);
  if (place.leaf && modifier !== undefined)
    throw badParameter(name, `${name} has a modifier where an operator says it`);
  if (place.read) return { ...begun, condition: { filter: place.read(param, modifier) } };
  return { ...begun, condition: { filter: place.leaf ? place.leaf(param) : filterOf(param, modifier, values, place) } };
}

function requireReference(type: string, code: string, { name, projectId }: Place): SearchParam {
  const param = searchParam(type, code, projectId);
  if (!param) throw unknownParameter(name, `Unknown search parameter of ${type}: ${code}`);
  if (!isLink(param)) {
    throw unknownParameter(name, `${name} is not supported: ${code} is no reference of ${type}`);
  }
  requireBuilt(param);
  return param;
}
