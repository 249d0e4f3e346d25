import { AppError } from '#lib/base/errors.ts';
import { searchParam } from '../index/search-params.ts';
import { typeId } from '../type-ids.ts';
import { isWordParam } from '../words/text-search.ts';
import { wordsFilter } from '../words/words-filter.ts';
import { isLinked, type LinkBudget, linkBudget, linksOf } from './chains.ts';
import { CONTROLS, type Controls, defaultControls, isIgnored } from './controls.ts';
import { readFilter } from './filter-parameter.ts';
import { filterOf } from './filters.ts';
import { type Gate, gated } from './gate.ts';
import { and, type Expr, type Link } from './ir.ts';
import {
  badParameter,
  isUnknownParameter,
  type SearchValue,
  splitName,
  splitValues,
  unknownParameter,
} from './values.ts';

export type { Include, Sort } from './controls.ts';

/**
 * A search, understood. `self` holds the parameters as they were understood, for the bundle's self link. `linked`: what it asks of other
 * resources; of each list any must hold.
 */
export type SearchQuery = Controls & {
  type: string;
  filter: Expr;
  linked: Link[][];
  self: [string, string][];
  /** Names of parameters that a lenient search passed over. */
  ignored?: string[];
};

export type SearchOptions = {
  /** The server's FHIR base (`https://host/fhir/R4`): absolute references below it are local. */
  baseUrl?: string;
  /**
   * Parameters that are unknown or not supported are passed over, as the caller asked (`Prefer: handling=lenient`); what is wrong of known ones
   * never is. So with the names in a chain or `_has`, but for their bounds.
   */
  lenient?: boolean;
  /** What is found is judged by what is indexed of it just then: also by parameters whose entries older rows lack. */
  isJudging?: boolean;
  /** Whoever asks looks for what is `linked`, too; else chains and `_has` are refused. */
  isLinking?: boolean;
  /** Of which resources the caller sees what is asked by. By what they do not see of all, nothing is sorted. */
  gate?: Gate;
};

const MAX_PARAMETERS = 100;
/** Of all parameters together: each is looked up in every row that the others leave. */
const MAX_VALUES = 1000;
const UNSUPPORTED = new Set('_query _list _has _contained _containedType _score _type'.split(' '));

/**
 * Reads the parameters of a type-level search (decoded name and value pairs). Nothing is ever ignored unless it is
 * lenient: what is unknown or not supported is AppError invalid (400) naming the parameter. Unknown type: AppError unknown-type (404).
 */
export function parseSearch(
  type: string,
  params: readonly (readonly [string, string])[],
  projectId: string,
  options: SearchOptions = {},
): SearchQuery {
  typeId(type);
  if (params.length > MAX_PARAMETERS) throw badParameter('', `A search takes at most ${MAX_PARAMETERS} parameters`);
  const controls = defaultControls();
  const filters: Expr[] = [];
  const linked: Link[][] = [];
  const budget = linkBudget();
  const self: [string, string][] = [];
  const seen = new Set<string>();
  const ignored = new Set<string>();
  let count = 0;
  for (const [name, value] of params) {
    if (isIgnored(name)) continue;
    const control = CONTROLS.get(name);
    if (control) {
      if (!control.repeats && seen.has(name)) throw badParameter(name, `${name} may stand only once`);
      seen.add(name);
      self.push([name, control.read(controls, value, { type, projectId })]);
    } else if (name === '_filter') {
      const read = readFilter(type, value, { projectId, budget, ...options });
      filters.push(read.filter);
      linked.push(...read.linked);
      self.push([name, value]);
    } else {
      const values = splitValues(name, value);
      count += values.length;
      if (count > MAX_VALUES) throw badParameter(name, `A search takes at most ${MAX_VALUES} values`);
      const isKnown = reads(options, () => {
        if (!options.isLinking || !isLinked(name))
          filters.push(readParameter(type, name, values, { projectId, budget, ...options }));
        else linked.push(linksOf(type, name, values, { projectId, budget, ...options }));
      });
      if (isKnown) self.push([name, value]);
      else ignored.add(name);
    }
  }
  if (seen.has('_cursor') && seen.has('_offset'))
    throw badParameter('_cursor', '_cursor and _offset exclude each other');
  for (const { param } of controls.sort) if (options.gate?.(type, param)) throw refuseSort(param.code);
  return { ...controls, type, filter: and(filters), linked, self, ...(ignored.size > 0 && { ignored: [...ignored] }) };
}

/** The order of what they see would tell what they do not. */
function refuseSort(code: string): AppError {
  return new AppError('forbidden', `Your access policy hides what ${code} sorts by, of some`);
}

/** False for what a lenient search passes over. */
function reads({ lenient }: SearchOptions, parameter: () => void): boolean {
  try {
    parameter();
    return true;
  } catch (error) {
    if (lenient && isUnknownParameter(error)) return false;
    throw error;
  }
}

function readParameter(
  type: string,
  name: string,
  values: SearchValue[],
  context: SearchOptions & { projectId: string; budget: LinkBudget },
): Expr {
  const [code, modifier] = splitName(name);
  if (isWordParam(code)) {
    const filter = wordsFilter(type, { code, modifier }, values, { name, ...context });
    return gated(filter, context.gate?.(type, code), false);
  }
  const param = searchParam(type, code, context.projectId);
  if (!param?.supported) throw toUnknown(code, name, param !== undefined);
  return filterOf(param, modifier, values, { name, ...context });
}

function toUnknown(code: string, name: string, isKnown: boolean): Error {
  const isUnsupported = isKnown || name.includes('.') || UNSUPPORTED.has(code);
  const text = isUnsupported ? `Search parameter ${name} is not supported` : `Unknown search parameter: ${code}`;
  return unknownParameter(name, text);
}
