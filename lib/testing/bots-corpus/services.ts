import type { CorpusBot } from './corpus-bot.ts';

const ADA = { resourceType: 'Patient', name: [{ given: ['Ada'], family: 'Lovelace' }], birthDate: '1990-12-10' };

/** What goes on in a practice: tasks, visits, messages, advice by CDS Hooks, codes, reports of the night. */
export const SERVICES: CorpusBot[] = [
  {
    name: 'a card of advice (CDS Hooks) from what came with the request',
    code: `
      export async function handler(medplum, event) {
        const { context, prefetch } = event.input;
        const patient = prefetch?.patient ?? (await medplum.readResource('Patient', context.patientId));
        const summary = patient.gender ? 'Nothing to do' : 'Ask ' + patient.name[0].given[0] + ' for gender';
        return { cards: [{ uuid: 'c1', summary, indicator: 'info', source: { label: 'Demo' }, suggestions: [] }] };
      }`,
    given: [ADA],
    contentType: 'application/json',
    input: { hook: 'patient-view', hookInstance: 'h', context: { patientId: '{{0.id}}' } },
    answer: { cards: [{ summary: 'Ask Ada for gender', indicator: 'info' }] },
  },
  {
    name: 'a record that was deleted is tidied up after (subscription to deletes)',
    code: `
      export async function handler(medplum, event) {
        const deleted = event.input.deletedResource ?? event.input;
        const tasks = await medplum.searchResources('Task', { focus: deleted.resourceType + '/' + deleted.id });
        await Promise.all(tasks.map((task) => medplum.deleteResource('Task', task.id)));
        return [tasks.length, (await medplum.searchResources('Task', { focus: 'Patient/' + deleted.id })).length];
      }`,
    given: [ADA, { resourceType: 'Task', status: 'requested', intent: 'order', focus: { reference: '{{0}}' } }],
    input: { deletedResource: { resourceType: 'Patient', id: '{{0.id}}' } },
    answer: [1, 0],
  },
  {
    name: 'codes of a value set are offered (valueSetExpand)',
    code: `
      export async function handler(medplum, event) {
        const set = await medplum.valueSetExpand({ url: 'urn:colours', filter: 'r', count: 5 });
        return set.expansion.contains.map(({ code }) => code);
      }`,
    given: [
      {
        resourceType: 'ValueSet',
        status: 'active',
        url: 'urn:colours',
        compose: {
          include: [
            {
              system: 'urn:c',
              concept: [
                { code: 'red', display: 'Red' },
                { code: 'blue', display: 'Blue' },
              ],
            },
          ],
        },
      },
    ],
    answer: ['red'],
  },
  {
    name: 'GraphQL is not spoken here, and says so',
    code: `
      export async function handler(medplum) {
        try { return await medplum.graphql('{ PatientList { id } }'); } catch (error) { return [error.outcome.resourceType, error.outcome.issue[0].severity]; }
      }`,
    answer: ['OperationOutcome', 'error'],
  },
  {
    name: 'a visit is found, booked and its slot taken in one transaction',
    code: `
      export async function handler(medplum, event) {
        const slot = await medplum.readReference(event.input.slot);
        const bundle = await medplum.executeBatch({ resourceType: 'Bundle', type: 'transaction', entry: [
          { request: { method: 'PUT', url: 'Slot/' + slot.id }, resource: { ...slot, status: 'busy' } },
          { request: { method: 'POST', url: 'Appointment' }, resource: { resourceType: 'Appointment', status: 'booked', slot: [event.input.slot], start: slot.start, end: slot.end, participant: [{ actor: event.input.patient, status: 'accepted' }] } },
        ] });
        return [bundle.entry.map((entry) => entry.response.status.slice(0, 3)), (await medplum.readReference(event.input.slot)).status];
      }`,
    given: [
      ADA,
      { resourceType: 'Schedule', actor: [{ reference: '{{0}}' }] },
      {
        resourceType: 'Slot',
        schedule: { reference: '{{1}}' },
        status: 'free',
        start: '2026-01-01T09:00:00Z',
        end: '2026-01-01T09:20:00Z',
      },
    ],
    input: { slot: { reference: '{{2}}' }, patient: { reference: '{{0}}' } },
    contentType: 'application/json',
    answer: [['200', '201'], 'busy'],
  },
  {
    name: 'a request becomes a task for whoever is on duty',
    code: `
      import { createReference, getReferenceString } from '@medplum/core';
      export async function handler(medplum, event) {
        const order = event.input;
        const task = await medplum.createResourceIfNoneExist({ resourceType: 'Task', status: 'requested', intent: 'order', code: { text: 'Draw blood' }, focus: createReference(order), for: order.subject },
          'focus=' + getReferenceString(order));
        const again = await medplum.createResourceIfNoneExist({ ...task, id: undefined }, 'focus=' + getReferenceString(order));
        return [task.code.text, again.id === task.id];
      }`,
    given: [
      ADA,
      { resourceType: 'ServiceRequest', status: 'active', intent: 'order', subject: { reference: '{{0}}' } },
    ],
    input: {
      resourceType: 'ServiceRequest',
      id: '{{1.id}}',
      status: 'active',
      intent: 'order',
      subject: { reference: '{{0}}' },
    },
    answer: ['Draw blood', true],
  },
  {
    name: 'a message is answered in its thread',
    code: `
      export async function handler(medplum, { input: message }) {
        const answer = await medplum.createResource({ resourceType: 'Communication', status: 'completed', subject: message.subject, partOf: [{ reference: 'Communication/' + message.id }], payload: [{ contentString: 'We will call.' }] });
        const thread = await medplum.searchResources('Communication', 'part-of=Communication/' + message.id + '&_sort=-_lastUpdated');
        return thread.map((one) => one.payload[0].contentString);
      }`,
    given: [ADA, { resourceType: 'Communication', status: 'completed', subject: { reference: '{{0}}' } }],
    input: { resourceType: 'Communication', id: '{{1.id}}', status: 'completed', subject: { reference: '{{0}}' } },
    answer: ['We will call.'],
  },
  {
    name: 'the same person twice is found by birth date and name',
    code: `
      export async function handler(medplum, { input }) {
        const [family] = input.name.map((name) => name.family);
        const same = await medplum.searchResources('Patient', { family, birthdate: input.birthDate, '_id:not': input.id });
        return same.map((patient) => patient.id).includes(input.id) ? 'self' : same.length;
      }`,
    given: [
      { ...ADA, name: [{ family: 'Twin' }] },
      { ...ADA, name: [{ family: 'Twin' }] },
    ],
    input: { resourceType: 'Patient', id: '{{0.id}}', name: [{ family: 'Twin' }], birthDate: '1990-12-10' },
    answer: 1,
  },
  {
    name: 'a report of lab values says what is out of range',
    code: `
      export async function handler(medplum, { input }) {
        const report = await medplum.readReference(input);
        const values = await Promise.all(report.result.map((reference) => medplum.readReference(reference)));
        const high = values.filter((o) => o.valueQuantity.value > o.referenceRange[0].high.value);
        await medplum.updateResource({ ...report, conclusion: high.length + ' of ' + values.length + ' too high' });
        return (await medplum.readReference(input)).conclusion;
      }`,
    given: [
      lab(3, 5),
      lab(9, 5),
      {
        resourceType: 'DiagnosticReport',
        status: 'final',
        code: { text: 'Panel' },
        result: [{ reference: '{{0}}' }, { reference: '{{1}}' }],
      },
    ],
    input: { reference: '{{2}}' },
    answer: '1 of 2 too high',
  },
  {
    name: 'numbers of the night: how many of each status',
    code: `
      export async function handler(medplum) {
        const of = async (status) => (await medplum.search('Task', { status, _summary: 'count' })).total ?? 0;
        const [draft, failed] = await Promise.all([of('draft'), of('failed')]);
        return { draft, failed };
      }`,
    given: [{ resourceType: 'Task', status: 'draft', intent: 'order' }],
    answer: { draft: 1, failed: 0 },
  },
  {
    name: 'an operation by its address (post, fhirUrl): is this resource sound',
    code: `
      export async function handler(medplum) {
        const outcome = await medplum.post(medplum.fhirUrl('Patient', '$validate'), { resourceType: 'Patient', gender: 'female' });
        return outcome.resourceType;
      }`,
    answer: 'OperationOutcome',
  },
  {
    name: 'what a person agreed to is kept with its time (Consent from a form)',
    code: `
      import { getQuestionnaireAnswers } from '@medplum/core';
      export async function handler(medplum, { input }) {
        const answers = getQuestionnaireAnswers(input);
        const consent = await medplum.createResource({ resourceType: 'Consent', status: answers.agree?.valueBoolean ? 'active' : 'rejected', patient: input.subject, dateTime: input.authored,
          scope: { coding: [{ system: 'http://terminology.hl7.org/CodeSystem/consentscope', code: 'treatment' }] }, category: [{ text: 'Treatment' }], policyRule: { text: 'House' } });
        return [consent.status, consent.dateTime];
      }`,
    given: [ADA],
    input: {
      resourceType: 'QuestionnaireResponse',
      status: 'completed',
      subject: { reference: '{{0}}' },
      authored: '2026-01-02T03:04:05Z',
      item: [{ linkId: 'agree', answer: [{ valueBoolean: true }] }],
    },
    answer: ['active', '2026-01-02T03:04:05Z'],
  },
  {
    name: 'takes another bot’s answer as its own (executeBot by identifier)',
    code: `
      export async function handler(medplum, event) {
        try { return await medplum.executeBot({ system: 'urn:bots', value: 'nobody' }, {}); } catch (error) { return error.outcome.issue[0].code; }
      }`,
    answer: 'not-found',
  },
  {
    name: 'sockets of its own are refused when it is deployed (ssh2-sftp-client)',
    code: `
      import Client from 'ssh2-sftp-client';
      export async function handler() { return new Client().connect({ host: 'a.example' }); }`,
    refused: 'it opens sockets, and a bot has none',
    answer: undefined,
  },
  {
    name: 'a package that did not come along is refused when it is deployed (twilio)',
    code: `
      import twilio from 'twilio';
      export async function handler() { return twilio('a', 'b').messages.create({ to: 'x' }); }`,
    refused: 'a bot can import',
    answer: undefined,
  },
];

function lab(value: number, high: number): Record<string, unknown> {
  return {
    resourceType: 'Observation',
    status: 'final',
    code: { text: 'Lab' },
    valueQuantity: { value },
    referenceRange: [{ high: { value: high } }],
  };
}
