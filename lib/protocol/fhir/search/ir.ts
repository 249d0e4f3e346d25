import type { Extracted } from '../index/extract.ts';
import type { SearchParam } from '../index/search-params.ts';
import { fitsWords } from '../words/fits-words.ts';
import type { WordTree } from '../words/word-grammar.ts';
import { type Circle, fits, isWithinCircle, type QuantityMatch } from './measures.ts';

/** Inclusive bounds (ms) on the low and the high end of an indexed interval; all that are given must hold. */
export type DateRange = { loMin?: Date; loMax?: Date; hiMin?: Date; hiMax?: Date };
/** Inclusive bounds (ms). */
export type InstantRange = { from?: Date; to?: Date };
/** `value` is folded like the index (see normalize.ts). */
export type StringMatch = { value: string; mode: 'prefix' | 'exact' | 'contains' };

/**
 * Codes that stand elsewhere: those `in` a value set, and what lies `above` or `below` others in their system. No part of what is compiled or
 * evaluated: whoever searches puts their tokens in its place first (lib/domain/rest/search/resolve-concepts.ts). `name`: as the caller wrote it.
 */
export type Concepts = { way: 'in' | 'above' | 'below'; name: string; param: SearchParam; values: string[][] };

/**
 * What is asked of other resources than those that are found: `to`, that they refer to one (a chain), or `from`, that one refers to them
 * (`_has`). A search's own (`linked`) is no part of a filter: what it finds is within the caller's reach.
 */
export type Link = {
  way: 'to' | 'from';
  /** As the caller wrote the parameter. */
  name: string;
  /** Of the resources at the other end. */
  type: string;
  /** The reference: of the rows themselves (`to`), or of the other end (`from`). */
  param: SearchParam;
  condition: Condition;
};

/** What the other end must fulfil: a filter, or one of further links. */
export type Condition = { filter: Expr } | { anyOf: Link[] };

/** A level of index/format.ts above the first. */
export type NewLevel = 2 | 3 | 4 | 5;

/**
 * A search filter, as a tree that is compiled to SQL and evaluated in memory. It does not contain project, type and
 * "not deleted": whoever runs it adds those. `selective` tells the SQL compiler which form of the project check is
 * fast (data.md, planner lessons 1 and 3): true when the tokens embed the project and match few rows.
 * `isNew`: entries that rows lack which were stored before index/format.ts said so. In `string`, `date`: any of the values of the parameter may
 * match any of the alternatives.
 */
export type Expr =
  | { op: 'all' }
  | { op: 'none' }
  | { op: 'and' | 'or'; args: Expr[] }
  | { op: 'not'; arg: Expr }
  /** `of`: the parameter whose tokens these are (SearchParam.id), where they are those of one. */
  | { op: 'token'; anyOf: bigint[]; selective: boolean; isNew?: NewLevel; of?: number }
  | { op: 'string'; param: number; values: StringMatch[]; isNew?: NewLevel }
  | { op: 'date'; param: number; ranges: DateRange[] }
  | { op: 'quantity'; params: readonly number[]; anyOf: QuantityMatch[] }
  | { op: 'near'; param: number; anyOf: Circle[] }
  /** Of the words of the narrative, or of the content. */
  | { op: 'words'; param: number; tree: WordTree }
  | { op: 'concepts'; of: Concepts }
  | { op: 'linked'; links: Link[] }
  /** Of a policy, whose author speaks: any of the links holds, whoever asks. In memory, of what was looked up for the row before. */
  | { op: 'related'; links: Link[] }
  | { op: 'id'; anyOf: string[] }
  /** Without a security context (R4 Binary): what that lets one see no index knows. `of`: without one of these types. */
  | { op: 'unguarded'; of?: readonly string[] }
  | { op: 'lastUpdated'; ranges: InstantRange[] };

/** `related`: what of the `related` of an expression holds of it. */
export type RowFacts = { id: string; lastUpdated: Date; related?: ReadonlyMap<Expr, boolean> };

/** What a reference to one of these types, after a slash, matches; without types, any. */
export function contextPattern(types: readonly string[] | undefined): string {
  return types ? `/(${types.join('|')})/` : '';
}

/** Does the resource, as extracted, match? The same answer as the SQL compiled from the expression. */
export function evaluate(expr: Expr, extracted: Extracted, row: RowFacts): boolean {
  switch (expr.op) {
    case 'all':
      return true;
    case 'none':
      return false;
    case 'and':
      return expr.args.every((arg) => evaluate(arg, extracted, row));
    case 'or':
      return expr.args.some((arg) => evaluate(arg, extracted, row));
    case 'not':
      return !evaluate(expr.arg, extracted, row);
    case 'token':
      return hasAny(extracted.tokens, expr.anyOf);
    case 'string':
      return hasText(extracted.strings, expr.param, expr.values);
    case 'date':
      return extracted.dates.some(
        (date) => date.param === expr.param && expr.ranges.some((range) => inRange(date, range)),
      );
    case 'quantity':
      return extracted.quantities.some((found) => expr.params.includes(found.param) && fits(found, expr.anyOf));
    case 'near':
      return extracted.quantities.some((found) => found.param === expr.param && isWithinCircle(found, expr.anyOf));
    case 'words':
      return extracted.words().some(({ param, text }) => param === expr.param && fitsWords(expr.tree, text));
    case 'concepts':
    case 'linked':
      throw unresolved(expr);
    case 'related': {
      const holds = row.related?.get(expr);
      if (holds === undefined) throw unresolved(expr);
      return holds;
    }
    case 'unguarded':
      return extracted.guarded === undefined || !new RegExp(contextPattern(expr.of)).test(`/${extracted.guarded}`);
    case 'id':
      return expr.anyOf.includes(row.id);
    case 'lastUpdated':
      return expr.ranges.some(({ from, to }) => between(row.lastUpdated, from, to));
  }
}

/** From so many on, of a record, they are looked up: a policy may ask for thousands, of one with thousands. */
const MANY = 32;
const sets = new WeakMap<readonly bigint[], ReadonlySet<bigint>>();

function hasAny(tokens: readonly bigint[], anyOf: readonly bigint[]): boolean {
  if (tokens.length < MANY) return anyOf.some((token) => tokens.includes(token));
  const set = sets.get(tokens) ?? new Set(tokens);
  sets.set(tokens, set);
  return anyOf.some((token) => set.has(token));
}

const sorted = new WeakMap<Extracted['strings'], Map<number, string[]>>();

function hasText(strings: Extracted['strings'], param: number, values: StringMatch[]): boolean {
  if (strings.length < MANY) return strings.some((one) => one.param === param && matchesString(one.value, values));
  const known = sorted.get(strings) ?? new Map<number, string[]>();
  sorted.set(strings, known);
  const own = known.get(param) ?? strings.flatMap((one) => (one.param === param ? [one.value] : [])).sort();
  known.set(param, own);
  return values.some(({ value, mode }) => {
    if (mode === 'contains') return own.some((text) => text.includes(value));
    // Of those that begin with it, the first that is not before it is one.
    const first = own[placeOf(own, value)];
    return first !== undefined && (mode === 'exact' ? first === value : first.startsWith(value));
  });
}

/** Of the first that is not before the value. */
function placeOf(own: readonly string[], value: string): number {
  let [low, high] = [0, own.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (own[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** All that it asks of other resources. */
export function relatedIn(expr: Expr): Expr[] {
  if (expr.op === 'related') return [expr];
  if (expr.op === 'not') return relatedIn(expr.arg);
  return expr.op === 'and' || expr.op === 'or' ? expr.args.flatMap(relatedIn) : [];
}

/** A fault of ours: only who resolves them reads them. */
export function unresolved({ op }: Expr): Error {
  return new Error(`A filter has ${op} that were not resolved`);
}

/** Conjunction without needless levels. */
export function and(args: Expr[]): Expr {
  const flat = args.flatMap((arg) => (arg.op === 'and' ? arg.args : [arg])).filter((arg) => arg.op !== 'all');
  if (flat.some((arg) => arg.op === 'none')) return { op: 'none' };
  return flat.length === 0 ? { op: 'all' } : flat.length === 1 && flat[0] ? flat[0] : { op: 'and', args: flat };
}

/** Negation, of what is always or never so, too. */
export function not(arg: Expr): Expr {
  if (arg.op === 'all') return { op: 'none' };
  if (arg.op === 'none') return { op: 'all' };
  return arg.op === 'not' ? arg.arg : { op: 'not', arg };
}

function matchesString(indexed: string, values: StringMatch[]): boolean {
  return values.some(({ value, mode }) => {
    if (mode === 'prefix') return indexed.startsWith(value);
    return mode === 'exact' ? indexed === value : indexed.includes(value);
  });
}

function inRange({ lo, hi }: { lo: Date; hi: Date }, range: DateRange): boolean {
  return between(lo, range.loMin, range.loMax) && between(hi, range.hiMin, range.hiMax);
}

function between(value: Date, from: Date | undefined, to: Date | undefined): boolean {
  return (!from || value.getTime() >= from.getTime()) && (!to || value.getTime() <= to.getTime());
}
