import type { CorpusBot } from './corpus-bot.ts';

const subject = { reference: '{{0}}' };
const ACTIVE = {
  coding: [{ system: 'http://terminology.hl7.org/CodeSystem/allergyintolerance-clinical', code: 'active' }],
};
const PATIENT = { resourceType: 'Patient', name: [{ given: ['Ada'], family: 'Lovelace' }] };

/** What bots of clinics do: answers to CDS Hooks, codes, vital signs, transitions. */
export const TRADES: CorpusBot[] = [
  {
    name: 'answers a call of CDS Hooks with cards',
    code: `
      export async function handler(medplum, { input }) {
        const { patientId } = input.context;
        const allergies = await medplum.searchResources('AllergyIntolerance', 'patient=Patient/' + patientId);
        return { cards: allergies.map((one) => ({ summary: 'Allergy: ' + one.code.text, indicator: 'warning', source: { label: 'Records' } })) };
      }`,
    given: [
      PATIENT,
      { resourceType: 'AllergyIntolerance', clinicalStatus: ACTIVE, patient: subject, code: { text: 'Penicillin' } },
    ],
    input: {
      hook: 'patient-view',
      hookInstance: 'd1577c69-dfbe-44ad-ba6d-3e05e953b2ea',
      context: { patientId: '{{0.id}}' },
    },
    contentType: 'application/json',
    answer: { cards: [{ summary: 'Allergy: Penicillin', indicator: 'warning' }] },
  },
  {
    name: 'a card of CDS Hooks proposes what to do',
    code: `
      export const handler = async (medplum, { input: { context } }) => ({ cards: [{
        summary: 'Order a control', indicator: 'info', source: { label: 'Guideline' },
        suggestions: [{ label: 'HbA1c', actions: [{ type: 'create', description: 'Order', resource: { resourceType: 'ServiceRequest', status: 'draft', intent: 'order', subject: { reference: 'Patient/' + context.patientId } } }] }],
      }] });`,
    input: { hook: 'order-select', context: { patientId: 'a' } },
    contentType: 'application/json',
    answer: { cards: [{ suggestions: [{ actions: [{ resource: { subject: { reference: 'Patient/a' } } }] }] }] },
  },
  {
    name: 'codes of a value set, for a list to choose from',
    code: `
      export async function handler(medplum) {
        const { expansion } = await medplum.valueSetExpand({ url: 'http://example.org/colours-' + medplum.getProject().id });
        return expansion.contains.map(({ code }) => code).sort();
      }`,
    given: [
      {
        ...{
          resourceType: 'CodeSystem',
          status: 'active',
          content: 'complete',
          url: 'http://example.org/colour-{{project}}',
        },
        concept: [{ code: 'red' }, { code: 'blue' }],
      },
      {
        ...{ resourceType: 'ValueSet', status: 'active', url: 'http://example.org/colours-{{project}}' },
        compose: { include: [{ system: 'http://example.org/colour-{{project}}' }] },
      },
    ],
    answer: ['blue', 'red'],
  },
  {
    name: 'GraphQL, which there is not, says so',
    code: `
      export async function handler(medplum) {
        try { return await medplum.graphql('{ Patient(id: "1") { id } }'); } catch (error) { return error.message; }
      }`,
    answer: 'Operation $graphql is not supported here',
  },
  {
    name: 'what was deleted is told by its header',
    code: `
      export async function handler(medplum, event) {
        const deleted = event.headers?.['x-medplum-deleted-resource'];
        if (!deleted) return 'changed';
        return [deleted, Object.keys(event.input).length];
      }`,
    headers: { 'x-medplum-deleted-resource': 'Patient/1' },
    answer: ['Patient/1', 0],
  },
  {
    name: 'body mass index of height and weight',
    code: `
      export async function handler(medplum, { input }) {
        const last = async (code) => (await medplum.searchOne('Observation', { subject: input.reference, code, _sort: '-date' })).valueQuantity.value;
        const [height, weight] = [await last('8302-2'), await last('29463-7')];
        const made = await medplum.createResource({
          resourceType: 'Observation', status: 'final', subject: input, code: { coding: [{ system: 'http://loinc.org', code: '39156-5' }] },
          valueQuantity: { value: Math.round((weight / (height / 100) ** 2) * 10) / 10, unit: 'kg/m2' },
        });
        return made.valueQuantity.value;
      }`,
    given: [
      PATIENT,
      ...[
        ['8302-2', 170, '2024-01-01'],
        ['29463-7', 80, '2023-01-01'],
        ['29463-7', 61, '2024-01-01'],
      ].map(([code, value, effectiveDateTime]) => ({
        ...{ resourceType: 'Observation', status: 'final', subject, effectiveDateTime },
        code: { coding: [{ system: 'http://loinc.org', code }] },
        valueQuantity: { value },
      })),
    ],
    input: { reference: '{{0}}' },
    answer: 21.1,
  },
  {
    name: 'results that have come close their order',
    code: `
      export async function handler(medplum, { input }) {
        const order = await medplum.readReference(input.basedOn[0]);
        await medplum.updateResource({ ...order, status: 'completed' });
        return (await medplum.readReference(input.basedOn[0])).status;
      }`,
    given: [PATIENT, { resourceType: 'ServiceRequest', status: 'active', intent: 'order', subject }],
    input: {
      resourceType: 'DiagnosticReport',
      status: 'final',
      code: { text: 'x' },
      basedOn: [{ reference: '{{1}}' }],
    },
    answer: 'completed',
  },
  {
    name: 'a reminder for whom an appointment names',
    code: `
      import { formatHumanName } from '@medplum/core';
      export async function handler(medplum, { input }) {
        const people = await Promise.all(input.participant.map(({ actor }) => medplum.readReference(actor)));
        const made = await medplum.createResource({ resourceType: 'Communication', status: 'in-progress', subject: input.participant[0].actor, payload: people.map((one) => ({ contentString: 'Dear ' + formatHumanName(one.name[0]) })) });
        return made.payload;
      }`,
    given: [PATIENT],
    input: {
      resourceType: 'Appointment',
      status: 'booked',
      participant: [{ status: 'accepted', actor: { reference: '{{0}}' } }],
    },
    answer: [{ contentString: 'Dear Ada Lovelace' }],
  },
  {
    name: 'two records of one person are found by their identifier',
    code: `
      export async function handler(medplum, { input }) {
        const all = await medplum.searchResources('Patient', { identifier: 'urn:twice|' + input.value, _sort: '_lastUpdated' });
        const [kept, ...others] = all;
        for (const other of others) await medplum.updateResource({ ...other, active: false, link: [{ type: 'replaced-by', other: { reference: 'Patient/' + kept.id } }] });
        return (await medplum.searchResources('Patient', { identifier: 'urn:twice|' + input.value, active: false })).length;
      }`,
    given: ['a', 'b'].map((family) => ({
      ...PATIENT,
      identifier: [{ system: 'urn:twice', value: '1' }],
      name: [{ family }],
    })),
    input: { value: '1' },
    contentType: 'application/json',
    answer: 1,
  },
  {
    name: 'CSV of another becomes records in one batch',
    code: `
      export async function handler(medplum, { input }) {
        const [head, ...rows] = input.trim().split('\\n').map((line) => line.split(','));
        const entry = rows.map((row) => ({ request: { method: 'POST', url: 'Patient' }, resource: { resourceType: 'Patient', name: [{ family: row[head.indexOf('family')] }] } }));
        const done = await medplum.executeBatch({ resourceType: 'Bundle', type: 'batch', entry });
        return done.entry.map(({ response }) => response.status.slice(0, 3));
      }`,
    input: 'id,family\n1,Lovelace\n2,Hopper\n',
    contentType: 'text/plain',
    answer: '["201","201"]',
  },
  {
    name: 'a list of who is due is a text to download',
    code: `
      export async function handler(medplum) {
        const patients = await medplum.searchResources('Patient', 'name=Duepatient');
        const csv = ['family', ...patients.map((one) => one.name[0].family)].join('\\n');
        const binary = await medplum.createBinary({ data: csv, contentType: 'text/csv', filename: 'due.csv' });
        const made = await medplum.createResource({ resourceType: 'DocumentReference', status: 'current', content: [{ attachment: { url: 'Binary/' + binary.id, contentType: 'text/csv' } }] });
        return [await (await medplum.download('Binary/' + binary.id)).text(), made.content[0].attachment.contentType];
      }`,
    given: [{ ...PATIENT, name: [{ family: 'Duepatient' }] }],
    answer: ['family\nDuepatient', 'text/csv'],
  },
  {
    name: 'dates and times are parsed and written',
    code: `
      import { formatDate, formatPeriod, parseReference, parseSearchRequest, resolveId, stringify } from '@medplum/core';
      export async function handler() {
        return [parseReference({ reference: 'Patient/1' }), resolveId({ reference: 'Patient/2' }), parseSearchRequest('Patient?name=a').filters[0].value, stringify({ a: '', b: 1 }), typeof formatDate('2024-01-02'), typeof formatPeriod({ start: '2024-01-02' })];
      }`,
    answer: [['Patient', '1'], '2', 'a', '{"b":1}', 'string', 'string'],
  },
];
