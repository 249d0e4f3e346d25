import type { CorpusBot } from './corpus-bot.ts';

const INTAKE = {
  resourceType: 'QuestionnaireResponse',
  status: 'completed',
  item: [
    { linkId: 'first', answer: [{ valueString: 'Ada' }] },
    { linkId: 'last', answer: [{ valueString: 'Lovelace' }] },
    { linkId: 'birth', answer: [{ valueDate: '1990-12-10' }] },
    { linkId: 'weight', answer: [{ valueQuantity: { value: 61, unit: 'kg' } }] },
    { linkId: 'smoker', answer: [{ valueBoolean: false }] },
    { linkId: 'group', item: [{ linkId: 'phone', answer: [{ valueString: '555-0100' }] }] },
  ],
};

/** Forms that become records. */
export const QUESTIONNAIRES: CorpusBot[] = [
  {
    name: 'an intake form becomes a patient',
    code: `
      import { BotEvent, getQuestionnaireAnswers, MedplumClient } from '@medplum/core';
      import { Patient, QuestionnaireResponse } from '@medplum/fhirtypes';
      export async function handler(medplum: MedplumClient, event: BotEvent<QuestionnaireResponse>): Promise<Patient> {
        const answers = getQuestionnaireAnswers(event.input);
        return medplum.createResource<Patient>({
          resourceType: 'Patient',
          name: [{ given: [answers.first?.valueString as string], family: answers.last?.valueString }],
          birthDate: answers.birth?.valueDate,
          telecom: [{ system: 'phone', value: answers.phone?.valueString }],
        });
      }`,
    input: INTAKE,
    answer: {
      resourceType: 'Patient',
      name: [{ given: ['Ada'], family: 'Lovelace' }],
      telecom: [{ system: 'phone', value: '555-0100' }],
    },
  },
  {
    name: 'a form becomes an observation about its subject',
    code: `
      import { createReference, getQuestionnaireAnswers, LOINC, UCUM } from '@medplum/core';
      export async function handler(medplum, event) {
        const response = event.input;
        const patient = await medplum.readReference(response.subject);
        const { weight } = getQuestionnaireAnswers(response);
        return medplum.createResource({
          resourceType: 'Observation', status: 'final', subject: createReference(patient),
          code: { coding: [{ system: LOINC, code: '29463-7' }] },
          valueQuantity: { ...weight.valueQuantity, system: UCUM, code: 'kg' },
        });
      }`,
    given: [{ resourceType: 'Patient', name: [{ given: ['Ada'], family: 'Lovelace' }] }],
    input: { ...INTAKE, subject: { reference: '{{0}}' } },
    answer: {
      subject: { reference: '{{0}}', display: 'Ada Lovelace' },
      code: { coding: [{ system: 'http://loinc.org' }] },
      valueQuantity: { value: 61, system: 'http://unitsofmeasure.org' },
    },
  },
  {
    name: 'all answers of an item that repeats',
    code: `
      import { getAllQuestionnaireAnswers } from '@medplum/core';
      export async function handler(medplum, event) {
        return getAllQuestionnaireAnswers(event.input).allergy.map((answer) => answer.valueString);
      }`,
    input: {
      resourceType: 'QuestionnaireResponse',
      status: 'completed',
      item: [{ linkId: 'allergy', answer: [{ valueString: 'nuts' }, { valueString: 'cats' }] }],
    },
    answer: ['nuts', 'cats'],
  },
  {
    name: 'a form with nothing in it is an empty list',
    code: `
      import { EMPTY } from '@medplum/core';
      export const handler = async (medplum, event) => (event.input.item ?? EMPTY).map((item) => item.linkId);`,
    input: { resourceType: 'QuestionnaireResponse', status: 'completed' },
    answer: [],
  },
  {
    name: 'a form without what it needs is refused with the field',
    code: `
      import { badRequest, getQuestionnaireAnswers, OperationOutcomeError } from '@medplum/core';
      export async function handler(medplum, event) {
        if (!getQuestionnaireAnswers(event.input).consent?.valueBoolean)
          throw new OperationOutcomeError(badRequest('Consent is required', 'QuestionnaireResponse.item'));
      }`,
    input: INTAKE,
    status: 400,
    answer: { issue: [{ details: { text: 'Consent is required' }, expression: ['QuestionnaireResponse.item'] }] },
  },
  {
    name: 'a score becomes a risk assessment with an interpretation',
    code: `
      import { getQuestionnaireAnswers } from '@medplum/core';
      export async function handler(medplum, event) {
        const answers = getQuestionnaireAnswers(event.input);
        const score = ['q1', 'q2', 'q3'].reduce((sum, id) => sum + (answers[id]?.valueInteger ?? 0), 0);
        return medplum.createResource({
          resourceType: 'RiskAssessment', status: 'final', subject: event.input.subject,
          prediction: [{ qualitativeRisk: { text: score >= 5 ? 'high' : 'low' }, relativeRisk: score }],
        });
      }`,
    given: [{ resourceType: 'Patient' }],
    input: {
      resourceType: 'QuestionnaireResponse',
      status: 'completed',
      subject: { reference: '{{0}}' },
      item: ['q1', 'q2', 'q3'].map((linkId, at) => ({ linkId, answer: [{ valueInteger: at + 1 }] })),
    },
    answer: { resourceType: 'RiskAssessment', prediction: [{ qualitativeRisk: { text: 'high' }, relativeRisk: 6 }] },
  },
  {
    name: 'a form that is filled in again updates the same patient (upsert)',
    code: `
      import { getQuestionnaireAnswers } from '@medplum/core';
      export async function handler(medplum, event) {
        const answers = getQuestionnaireAnswers(event.input);
        const value = 'mrn-' + event.input.id;
        const patient = (family) => ({ resourceType: 'Patient', identifier: [{ system: 'urn:mrn', value }], name: [{ family }] });
        const first = await medplum.upsertResource(patient('Before'), 'identifier=urn:mrn|' + value);
        const second = await medplum.upsertResource(patient(answers.last.valueString), { identifier: 'urn:mrn|' + value });
        return { isSame: first.id === second.id, family: second.name[0].family };
      }`,
    input: { ...INTAKE, id: 'r-1' },
    answer: { isSame: true, family: 'Lovelace' },
  },
  {
    name: 'answers that are a choice become a coded condition, once',
    code: `
      import { SNOMED } from '@medplum/core';
      export async function handler(medplum, event) {
        const coding = event.input.item[0].answer[0].valueCoding;
        const condition = { resourceType: 'Condition', subject: event.input.subject, code: { coding: [{ ...coding, system: SNOMED }] } };
        const query = 'code=' + SNOMED + '|' + coding.code + '&subject=' + event.input.subject.reference;
        const [one, two] = [await medplum.createResourceIfNoneExist(condition, query), await medplum.createResourceIfNoneExist(condition, query)];
        return one.id === two.id;
      }`,
    given: [{ resourceType: 'Patient' }],
    input: {
      resourceType: 'QuestionnaireResponse',
      status: 'completed',
      subject: { reference: '{{0}}' },
      item: [{ linkId: 'dx', answer: [{ valueCoding: { code: '44054006', display: 'Diabetes' } }] }],
    },
    answer: true,
  },
];
