import { child, has, hasAny, hasChoice, isDistinct, items, type Node, nested, type Rules } from './node.ts';

const needs =
  (...names: string[]) =>
  (node: Node) =>
    hasAny(node, ...names);
const onlyWith = (name: string, needed: string) => (node: Node) => !has(node, name) || has(node, needed);
const notBoth = (one: string, other: string) => (node: Node) => !has(node, one) || !has(node, other);

/** Invariants of what defines other things: code systems, value sets, searches, operations, questionnaires. */
export const DEFINITIONAL: Rules = {
  CodeSystem: { 'csd-1': (node) => isDistinct(below(node, 'concept', 'code')) },
  'ConceptMap.group.element.target': {
    'cmd-1': (node) => has(node, 'comment') || !['narrower', 'inexact'].includes(String(node.equivalence)),
  },
  'ConceptMap.group.unmapped': {
    'cmd-2': (node) => node.mode !== 'fixed' || has(node, 'code'),
    'cmd-3': (node) => node.mode !== 'other-map' || has(node, 'url'),
  },
  'OperationDefinition.parameter': {
    'opd-1': needs('type', 'part'),
    'opd-2': (node) => !has(node, 'searchType') || node.type === 'string',
    'opd-3': (node) => !has(node, 'targetProfile') || ['Reference', 'canonical'].includes(String(node.type)),
  },
  Questionnaire: { 'que-2': (node) => isDistinct(below(node, 'item', 'linkId')) },
  'Questionnaire.item': {
    'que-1': (node) => (node.type !== 'group' || has(node, 'item')) && (node.type !== 'display' || !has(node, 'item')),
    'que-3': (node) => node.type !== 'display' || !has(node, 'code'),
    'que-4': notBoth('answerOption', 'answerValueSet'),
    'que-5': (node) => CHOICES.includes(String(node.type)) || !hasAny(node, 'answerValueSet', 'answerOption'),
    'que-6': (node) => node.type !== 'display' || !hasAny(node, 'required', 'repeats'),
    'que-8': (node) => !['group', 'display'].includes(String(node.type)) || !has(node, 'initial'),
    'que-9': (node) => node.type !== 'display' || !has(node, 'readOnly'),
    'que-10': (node) => TEXTS.includes(String(node.type)) || !has(node, 'maxLength'),
    'que-11': notBoth('answerOption', 'initial'),
    'que-12': (node) => items(node, 'enableWhen').length <= 2 || has(node, 'enableBehavior'),
    'que-13': (node) => node.repeats === true || items(node, 'initial').length <= 1,
  },
  SearchParameter: {
    'spd-1': onlyWith('xpath', 'xpathUsage'),
    'spd-2': (node) => !has(node, 'chain') || node.type === 'reference',
  },
  'ValueSet.compose.include': {
    'vsd-1': needs('valueSet', 'system'),
    'vsd-2': (node) => !hasAny(node, 'concept', 'filter') || has(node, 'system'),
    'vsd-3': notBoth('concept', 'filter'),
  },
  'ValueSet.expansion.contains': {
    'vsd-6': needs('code', 'display'),
    'vsd-9': (node) => has(node, 'code') || node.abstract === true,
    'vsd-10': onlyWith('code', 'system'),
  },
  'RiskAssessment.prediction': {
    'ras-1': (node) => {
      const { low, high } = child(node, 'probabilityRange') ?? {};
      return [low, high].every((end) => end === undefined || isPercent(end as Node));
    },
  },
};

const CHOICES = 'choice open-choice decimal integer date dateTime time string quantity'.split(' ');
const TEXTS = 'boolean decimal integer string text url open-choice'.split(' ');

function isPercent({ code, system }: Node): boolean {
  return code === '%' && system === 'http://unitsofmeasure.org';
}

function below(node: Node, name: string, key: string): unknown[] {
  const found: unknown[] = [];
  nested(node, name, (item) => {
    if (item[key] !== undefined) found.push(item[key]);
  });
  return found;
}

const BOUND = ['code', 'Coding', 'CodeableConcept', 'Quantity', 'string', 'uri'];
const REFERRING = ['Reference', 'canonical'];
/** What an element that refers to another has not of its own (eld-5). */
const OWN = ['type', 'maxLength', 'binding', 'example'];
const OWN_CHOICES = ['defaultValue', 'fixed', 'pattern', 'minValue', 'maxValue'];

/** Of each element of a profile: there are thousands in one. */
export const ELEMENT_DEFINITION: Rules = {
  ElementDefinition: {
    'eld-2': ({ min, max }) => min === undefined || max === undefined || max === '*' || Number(min) <= Number(max),
    'eld-3': ({ max }) => max === undefined || /^(?:\*|\d+)$/.test(String(max)),
    'eld-5': (node) =>
      !has(node, 'contentReference') || !(hasAny(node, ...OWN) || OWN_CHOICES.some((name) => hasChoice(node, name))),
    'eld-6': (node) => !hasChoice(node, 'fixed') || items(node, 'type').length <= 1,
    'eld-7': (node) => !hasChoice(node, 'pattern') || items(node, 'type').length <= 1,
    'eld-8': (node) => !hasChoice(node, 'pattern') || !hasChoice(node, 'fixed'),
    'eld-11': (node) =>
      !has(node, 'binding') ||
      !has(node, 'type') ||
      items(node, 'type').some(({ code }) => BOUND.includes(String(code))),
    'eld-13': (node) => isDistinct(items(node, 'type').map(({ code }) => code)),
    'eld-14': (node) => isDistinct(items(node, 'constraint').map(({ key }) => key)),
    'eld-15': (node) => !hasChoice(node, 'defaultValue') || !has(node, 'meaningWhenMissing'),
    'eld-16': ({ sliceName }) => sliceName === undefined || /^[a-zA-Z0-9/\-_[\]@]+$/.test(String(sliceName)),
    'eld-18': (node) => node.isModifier !== true || has(node, 'isModifierReason'),
    'eld-19': ({ path }) =>
      /^[^\s.,:;'"/|?!@#$%&*()[\]{}]{1,64}(?:\.[^\s.,:;'"/|?!@#$%&*()[\]{}]{1,64}(?:\[x\])?(?::[^\s.]+)?)*$/.test(
        String(path),
      ),
    'eld-20': ({ path }) => /^[A-Za-z][A-Za-z0-9]*(?:\.[a-z][A-Za-z0-9]*(?:\[x])?)*$/.test(String(path)),
    'eld-22': onlyWith('sliceIsConstraining', 'sliceName'),
  },
  'ElementDefinition.binding': {
    'eld-12': ({ valueSet }) => valueSet === undefined || /^(?:https?:|urn:|#)/.test(String(valueSet)),
  },
  'ElementDefinition.constraint': { 'eld-21': needs('expression') },
  'ElementDefinition.slicing': { 'eld-1': needs('discriminator', 'description') },
  'ElementDefinition.type': {
    'eld-4': (node) => !has(node, 'aggregation') || REFERRING.includes(String(node.code)),
    'eld-17': (node) => !has(node, 'targetProfile') || REFERRING.includes(String(node.code)),
  },
};
