import { above, below, type Decimal, type NumberRange, parseDecimal } from '../index/decimals.ts';
import type { SearchParam } from '../index/search-params.ts';
import { toBase, UCUM, type Unit, unitOf, unitTag } from '../index/units.ts';
import type { Expr } from './ir.ts';
import type { QuantityMatch } from './measures.ts';
import { badParameter, requireFewRanges, type SearchValue } from './values.ts';

type Prefix = 'eq' | 'ne' | 'gt' | 'lt' | 'ge' | 'le' | 'sa' | 'eb' | 'ap';
type Value = { prefix: Prefix; decimal: Decimal };

const VALUE = /^(eq|ne|gt|lt|ge|le|sa|eb|ap)?(.*)$/s;
/** Of the value, to either side (R4 search §3.1.1.4.5). */
const NEARLY = 0.1;

/** A number parameter, or a quantity parameter with or without its unit. Throws AppError invalid (400) for what is neither. */
export function measureFilter(param: SearchParam, values: SearchValue[], name: string): Expr {
  requireFewRanges(values, name);
  const matches = values.flatMap((value) => measureMatches(param.type, value, name));
  const anyOf = matches.map((match) => ({ key: 0n, ...match }));
  return { op: 'quantity', params: param.indexedAs, anyOf };
}

/** The entries that one value of a number or quantity means. */
export function measureMatches(type: string, value: SearchValue, name: string): QuantityMatch[] {
  const [text = '', system = '', code = ''] = value;
  const parsed = parseValue(text, name, type);
  if (value.length === 1) return rangesOf(parsed).map((range) => ({ tags: [], range }));
  if (type === 'number' || value.length !== 3 || code === '') throw malformed(name, type);
  if (system === '') return rangesOf(parsed).map((range) => ({ tags: [unitTag('code', code)], range }));
  const unit = system === UCUM ? unitOf(code) : undefined;
  if (!unit) return rangesOf(parsed).map((range) => ({ tags: [unitTag('system-code', system, code)], range }));
  return rangesOf(inBase(parsed, unit)).map((range) => ({ tags: [], range: {}, base: unit.base, baseRange: range }));
}

/** Which numbers a value of a number means: two ranges for `ne`. */
export function numberRanges(text: string, name: string): NumberRange[] {
  return rangesOf(parseValue(text, name, 'number'));
}

function inBase({ prefix, decimal }: Value, unit: Unit): Value {
  const [value, lo, hi] = [decimal.value, decimal.lo, decimal.hi].map((number) => toBase(unit, number));
  return { prefix, decimal: { value: value!, lo: lo!, hi: hi! } };
}

/**
 * R4 search §3.1.1.4.5 and .6: `eq` and `ne` mean as many digits as were written; all others mean the very number, and what the
 * resource says counts as it says it.
 */
function rangesOf({ prefix, decimal: { value, lo, hi } }: Value): NumberRange[] {
  const around = Math.abs(value) * NEARLY;
  switch (prefix) {
    case 'eq':
      return [{ loMin: lo, hiMax: below(hi) }];
    case 'ne':
      return [{ loMax: below(lo) }, { hiMin: hi }];
    case 'gt':
      return [{ hiMin: above(value) }];
    case 'lt':
      return [{ loMax: below(value) }];
    case 'ge':
      return [{ hiMin: value }];
    case 'le':
      return [{ loMax: value }];
    case 'sa':
      return [{ loMin: above(value) }];
    case 'eb':
      return [{ hiMax: below(value) }];
    case 'ap':
      return [{ loMax: Math.max(value + around, below(hi)), hiMin: Math.min(value - around, lo) }];
  }
}

function parseValue(text: string, name: string, type: string): Value {
  const [, prefix = 'eq', number = ''] = VALUE.exec(text) ?? [];
  const decimal = parseDecimal(number);
  if (!decimal) throw malformed(name, type);
  return { prefix: prefix as Prefix, decimal };
}

function malformed(name: string, type: string): Error {
  const form = type === 'number' ? 'a number' : 'number, number|system|code or number||code';
  return badParameter(name, `${name} must be ${form}, with or without a prefix such as ge`);
}
