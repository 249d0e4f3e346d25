import { has, hasAny, hasChoice, isAtMost, isOrdered, type Node, number, type Rules, UCUM } from './node.ts';

const EVENTS_OF_MEALS = ['C', 'CM', 'CD', 'CV'];

const isUcum = (node: Node) => !has(node, 'system') || node.system === UCUM;
const hasSystem = (node: Node) => !has(node, 'code') || has(node, 'system');
const hasCode = (node: Node) => has(node, 'code') || !has(node, 'value');
const isWhole = (node: Node) => Number.isInteger(number(node) ?? 0);
const onlyWith = (name: string, needed: string) => (node: Node) => !has(node, name) || has(node, needed);
const notBoth = (one: string, other: string) => (node: Node) => !has(node, one) || !has(node, other);
const oneOf = (one: string, other: string) => (node: Node) => has(node, one) !== has(node, other);
const isNotNegative = (name: string) => (node: Node) => (number(node, name) ?? 0) >= 0;

/** Invariants of R4's data types, which are asked of every one of them. Of each the text stands in the definitions. */
export const DATA_TYPES: Rules = {
  Age: {
    'age-1': (node) => hasCode(node) && isUcum(node) && (number(node) ?? 1) > 0,
    'qty-3': hasSystem,
  },
  Attachment: { 'att-1': onlyWith('data', 'contentType') },
  ContactPoint: { 'cpt-2': onlyWith('value', 'system') },
  Count: {
    'cnt-3': (node) => hasCode(node) && isUcum(node) && (!has(node, 'code') || node.code === '1') && isWhole(node),
    'qty-3': hasSystem,
  },
  'DataRequirement.codeFilter': { 'drq-1': oneOf('path', 'searchParam') },
  'DataRequirement.dateFilter': { 'drq-2': oneOf('path', 'searchParam') },
  Distance: { 'dis-1': (node) => hasCode(node) && isUcum(node), 'qty-3': hasSystem },
  Duration: {
    'drt-1': (node) => !has(node, 'code') || (node.system === UCUM && has(node, 'value')),
    'qty-3': hasSystem,
  },
  Expression: { 'exp-1': (node) => hasAny(node, 'expression', 'reference') },
  Period: { 'per-1': (node) => isOrdered(node.start, node.end) },
  Quantity: { 'qty-3': hasSystem },
  Range: { 'rng-2': (node) => isAtMost(node.low as Node | undefined, node.high as Node | undefined) },
  Ratio: {
    'rat-1': (node) =>
      has(node, 'numerator') === has(node, 'denominator') && (has(node, 'numerator') || has(node, 'extension')),
  },
  'Timing.repeat': {
    'tim-1': onlyWith('duration', 'durationUnit'),
    'tim-2': onlyWith('period', 'periodUnit'),
    'tim-4': isNotNegative('duration'),
    'tim-5': isNotNegative('period'),
    'tim-6': onlyWith('periodMax', 'period'),
    'tim-7': onlyWith('durationMax', 'duration'),
    'tim-8': onlyWith('countMax', 'count'),
    'tim-9': (node) =>
      !has(node, 'offset') ||
      (has(node, 'when') && !(node.when as unknown[]).some((code) => EVENTS_OF_MEALS.includes(String(code)))),
    'tim-10': notBoth('timeOfDay', 'when'),
  },
  TriggerDefinition: {
    'trd-1': (node) => !has(node, 'data') || !hasChoice(node, 'timing'),
    'trd-2': onlyWith('condition', 'data'),
    'trd-3': (node) =>
      (node.type !== 'named-event' || has(node, 'name')) &&
      (node.type !== 'periodic' || hasChoice(node, 'timing')) &&
      (!String(node.type).startsWith('data-') || has(node, 'data')),
  },
};
