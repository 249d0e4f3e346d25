import { countOf, has, hasAny, hasChoice, hasCoding, isOrdered, items, type Node, type Rules } from './node.ts';

const TERMS = 'http://terminology.hl7.org/CodeSystem';
const ENTERED_IN_ERROR = ['entered-in-error'];

const needs =
  (...names: string[]) =>
  (node: Node) =>
    hasAny(node, ...names);
const oneOf = (one: string, other: string) => (node: Node) => has(node, one) !== has(node, other);
const onlyWith = (name: string, needed: string) => (node: Node) => !has(node, name) || has(node, needed);
const notBoth = (one: string, other: string) => (node: Node) => !has(node, one) || !has(node, other);

const isAllergyInError = (node: Node) =>
  hasCoding(node, 'verificationStatus', `${TERMS}/allergyintolerance-verification`, ENTERED_IN_ERROR);
const isConditionInError = (node: Node) =>
  hasCoding(node, 'verificationStatus', `${TERMS}/condition-ver-status`, ENTERED_IN_ERROR);

/** Invariants of what is recorded about patients and their care. */
export const CLINICAL: Rules = {
  AllergyIntolerance: {
    'ait-1': (node) => isAllergyInError(node) || has(node, 'clinicalStatus'),
    'ait-2': (node) => !isAllergyInError(node) || !has(node, 'clinicalStatus'),
  },
  'CarePlan.activity': { 'cpl-3': notBoth('detail', 'reference') },
  'Composition.section': {
    'cmp-1': needs('text', 'entry', 'section'),
    'cmp-2': notBoth('emptyReason', 'entry'),
  },
  Condition: {
    'con-4': (node) =>
      !hasChoice(node, 'abatement') ||
      hasCoding(node, 'clinicalStatus', `${TERMS}/condition-clinical`, ['resolved', 'remission', 'inactive']),
    'con-5': (node) => !isConditionInError(node) || !has(node, 'clinicalStatus'),
  },
  'Condition.evidence': { 'con-2': needs('code', 'detail') },
  'Condition.stage': { 'con-1': needs('summary', 'assessment') },
  FamilyMemberHistory: {
    'fhs-1': (node) => !hasChoice(node, 'age') || !hasChoice(node, 'born'),
    'fhs-2': (node) => hasChoice(node, 'age') || !has(node, 'estimatedAge'),
  },
  'Goal.target': { 'gol-1': (node) => !hasChoice(node, 'detail') || has(node, 'measure') },
  'Immunization.education': { 'imm-1': needs('documentType', 'reference') },
  'ImmunizationRecommendation.recommendation': { 'imr-1': needs('vaccineCode', 'targetDisease') },
  List: {
    'lst-1': notBoth('emptyReason', 'entry'),
    'lst-2': (node) => node.mode === 'changes' || !items(node, 'entry').some((entry) => has(entry, 'deleted')),
    'lst-3': (node) => node.mode === 'working' || !items(node, 'entry').some((entry) => has(entry, 'date')),
  },
  'MedicationAdministration.dosage': { 'mad-1': (node) => has(node, 'dose') || hasChoice(node, 'rate') },
  MedicationDispense: { 'mdd-1': (node) => isOrdered(node.whenPrepared, node.whenHandedOver) },
  Observation: {
    'obs-6': (node) => !has(node, 'dataAbsentReason') || !hasChoice(node, 'value'),
    'obs-7': (node) => !has(node, 'component') || !hasChoice(node, 'value') || !isCodeRepeated(node),
  },
  'Observation.referenceRange': { 'obs-3': needs('low', 'high', 'text') },
  'Questionnaire.item.enableWhen': {
    'que-7': (node) => node.operator !== 'exists' || node.answerBoolean !== undefined || !hasChoice(node, 'answer'),
  },
  'QuestionnaireResponse.item': { 'qrs-1': notBoth('answer', 'item') },
  'RequestGroup.action': { 'rqg-1': oneOf('resource', 'action') },
  ServiceRequest: { 'prr-1': onlyWith('orderDetail', 'code') },
  'CoverageEligibilityResponse.insurance.item': {
    'ces-1': (node) => countOf(node, 'category', 'productOrService') === 1,
  },
};

/** Whether a component has the code of the observation itself. */
function isCodeRepeated(node: Node): boolean {
  const codings = (of: Node) => items(of, 'code').flatMap((concept) => items(concept, 'coding'));
  const own = new Set(codings(node).map((coding) => JSON.stringify(coding)));
  return items(node, 'component').some((part) => codings(part).some((coding) => own.has(JSON.stringify(coding))));
}
