import { EXTENSION } from '../fhir/own-params.ts';

const of = (name: string) => `Patient.extension('${EXTENSION}/${name}').value`;

/** Search parameters that the project has made: base, code, type, expression. */
export const OWN_PARAMS: readonly (readonly [base: string, code: string, type: string, expression: string])[] = [
  ['Patient', 'own-team', 'token', `${of('team')}.ofType(Coding)`],
  ['Patient', 'own-trait', 'token', `${of('trait')}.ofType(CodeableConcept)`],
  ['Patient', 'own-nick', 'string', `Patient.extension.where(url = '${EXTENSION}/nick').value.ofType(string)`],
  ['Patient', 'own-seen', 'date', `${of('seen')}.ofType(dateTime) | ${of('stay')}.ofType(Period)`],
  ['Patient', 'own-nurse', 'reference', `${of('nurse')}.ofType(Reference).where(resolve() is Practitioner)`],
  ['Patient', 'own-home', 'uri', `${of('home')}.ofType(uri)`],
  ['Patient', 'own-score', 'number', `${of('score')}.ofType(decimal)`],
  ['Patient', 'own-dose', 'quantity', `${of('dose')}.ofType(Quantity)`],
  ['Patient', 'own-phone', 'token', "Patient.telecom.where(system='phone')"],
  ['Observation', 'own-part', 'token', 'Observation.component.code'],
  ['Observation', 'own-amount', 'quantity', 'Observation.component.value.ofType(Quantity)'],
  ['Observation', 'own-patient', 'reference', 'Observation.subject.where(resolve() is Patient)'],
];
