import type { CorpusBot } from './corpus-bot.ts';

const ADA = { resourceType: 'Patient', name: [{ given: ['Ada'], family: 'Lovelace' }], birthDate: '1990-12-10' };
const weight = (value: number) => ({
  resourceType: 'Observation',
  status: 'final',
  code: { coding: [{ system: 'http://loinc.org', code: '29463-7' }] },
  subject: { reference: '{{0}}' },
  valueQuantity: { value, unit: 'kg' },
});

/** Reading, searching and changing records, by the client as it is at the peer and without an import. */
export const RECORDS: CorpusBot[] = [
  {
    name: 'reads, changes and reads again',
    code: `
      import { MedplumClient } from '@medplum/core';
      export async function handler(medplum: MedplumClient, event: any) {
        const patient = await medplum.readResource('Patient', event.input.id);
        const updated = await medplum.updateResource({ ...patient, gender: 'female' });
        const read = await medplum.readResource('Patient', event.input.id);
        return [medplum instanceof MedplumClient, updated.gender, read.gender, read.meta?.project];
      }`,
    given: [ADA],
    input: { id: '{{0.id}}' },
    answer: [true, 'female', 'female', '{{project}}'],
  },
  {
    name: 'an update that changes nothing gives the resource back',
    code: `
      import { deepEquals } from '@medplum/core';
      export const handler = async (medplum, { input }) => {
        const patient = await medplum.readReference(input);
        return deepEquals(await medplum.updateResource(patient), patient);
      };`,
    given: [ADA],
    input: { reference: '{{0}}' },
    answer: true,
  },
  {
    name: 'an update of what has changed meanwhile is refused (If-Match), without an import',
    code: `
      exports.handler = async function (medplum, event) {
        const patient = await medplum.readReference(event.input);
        await medplum.updateResource({ ...patient, gender: 'other' });
        try { await medplum.updateResource({ ...patient, gender: 'male' }, { headers: { 'If-Match': 'W/"' + patient.meta.versionId + '"' } }); }
        catch (error) { return error.outcome.id; }
      };`,
    given: [ADA],
    input: { reference: '{{0}}' },
    answer: 'precondition-failed',
  },
  {
    name: 'patches by JSON Patch',
    code: `
      import { PatchOperation } from '@medplum/core';
      export const handler = async (medplum, { input }) => {
        const patch: PatchOperation[] = [{ op: 'add', path: '/active', value: true }];
        return (await medplum.patchResource('Patient', input.id, patch)).active;
      };`,
    given: [ADA],
    input: { id: '{{0.id}}' },
    answer: true,
  },
  {
    name: 'what was deleted is gone, and says so',
    code: `
      import { isGone, normalizeOperationOutcome } from '@medplum/core';
      export async function handler(medplum, { input }) {
        await medplum.deleteResource('Patient', input.id);
        try { await medplum.readResource('Patient', input.id); } catch (error) { return isGone(normalizeOperationOutcome(error)); }
      }`,
    given: [ADA],
    input: { id: '{{0.id}}' },
    answer: true,
  },
  {
    name: 'the history of a record, and a version of it',
    code: `
      import { isOk } from '@medplum/core';
      export async function handler(medplum, { input }) {
        const patient = await medplum.readResource('Patient', input.id);
        await medplum.updateResource({ ...patient, active: true });
        const history = await medplum.readHistory('Patient', input.id);
        const first = await medplum.readVersion('Patient', input.id, patient.meta.versionId);
        return [history.type, history.entry.length, first.active ?? 'unknown'];
      }`,
    given: [ADA],
    input: { id: '{{0.id}}' },
    answer: ['history', 2, 'unknown'],
  },
  {
    name: 'everything about a patient, page by page',
    code: `
      import { LOINC } from '@medplum/core';
      export async function handler(medplum, { input }) {
        const bundle = await medplum.readPatientEverything(input.id);
        return bundle.entry.map(({ resource }) => resource.resourceType).sort();
      }`,
    given: [ADA, weight(60), weight(61)],
    input: { id: '{{0.id}}' },
    answer: ['Observation', 'Observation', 'Patient'],
  },
  {
    name: 'searches by text, pairs and map; one; and with the bundle beside the resources',
    code: `
      import { getReferenceString } from '@medplum/core';
      export async function handler(medplum, { input }) {
        const subject = input.reference;
        const bundle = await medplum.search('Observation', 'subject=' + subject + '&_total=accurate');
        const list = await medplum.searchResources('Observation', { subject, _sort: '_lastUpdated' });
        const one = await medplum.searchOne('Observation', [['subject', subject]]);
        const none = await medplum.searchOne('Observation', new URLSearchParams({ subject, status: 'cancelled' }));
        return [bundle.total, list.length, list.bundle.type, getReferenceString(one).startsWith('Observation/'), none ?? 'none'];
      }`,
    given: [ADA, weight(60), weight(61)],
    input: { reference: '{{0}}' },
    answer: [2, 2, 'searchset', true, 'none'],
  },
  {
    name: 'goes through all pages of a search',
    code: `
      import { isString } from '@medplum/core';
      export async function handler(medplum, { input }) {
        const values = [];
        for await (const page of medplum.searchResourcePages('Observation', { subject: input.reference, _count: 2, _sort: '_lastUpdated' }))
          values.push(page.map((one) => one.valueQuantity.value));
        return values;
      }`,
    given: [ADA, weight(1), weight(2), weight(3), weight(4), weight(5)],
    input: { reference: '{{0}}' },
    answer: [[1, 2], [3, 4], [5]],
  },
  {
    name: 'a batch, some of which fails',
    code: `
      import { isNotFound } from '@medplum/core';
      export async function handler(medplum, { input }) {
        const bundle = await medplum.executeBatch({ resourceType: 'Bundle', type: 'batch', entry: [
          { request: { method: 'GET', url: input.reference } },
          { request: { method: 'GET', url: 'Patient/00000000-0000-4000-8000-000000000000' } },
        ] });
        return bundle.entry.map(({ response }) => [parseInt(response.status, 10), response.outcome ? isNotFound(response.outcome) : 'ok']);
      }`,
    given: [ADA],
    input: { reference: '{{0}}' },
    answer: [
      [200, 'ok'],
      [404, true],
    ],
  },
  {
    name: 'a transaction whose entries refer to each other',
    code: `
      import { generateId } from '@medplum/core';
      export async function handler(medplum) {
        const fullUrl = 'urn:uuid:' + generateId();
        const bundle = await medplum.executeBatch({ resourceType: 'Bundle', type: 'transaction', entry: [
          { fullUrl, resource: { resourceType: 'Patient', active: true }, request: { method: 'POST', url: 'Patient' } },
          { resource: { resourceType: 'Task', status: 'requested', intent: 'order', for: { reference: fullUrl } }, request: { method: 'POST', url: 'Task' } },
        ] });
        const [patient, task] = bundle.entry.map(({ resource }) => resource);
        return task.for.reference === 'Patient/' + patient.id;
      }`,
    answer: true,
  },
  {
    name: 'a collection made one request (convertToTransactionBundle)',
    code: `
      import { convertToTransactionBundle } from '@medplum/core';
      export async function handler(medplum, { input }) {
        const bundle = await medplum.executeBatch(convertToTransactionBundle(input));
        return bundle.entry.map(({ response }) => parseInt(response.status, 10));
      }`,
    input: {
      resourceType: 'Bundle',
      type: 'collection',
      entry: [
        { fullUrl: 'urn:uuid:5d4b4c5e-0000-4000-8000-000000000001', resource: { resourceType: 'Patient', id: 'a' } },
        {
          fullUrl: 'urn:uuid:5d4b4c5e-0000-4000-8000-000000000002',
          resource: { resourceType: 'Observation', id: 'b', status: 'final', code: { text: 'x' } },
        },
      ],
    },
    answer: [201, 201],
  },
  {
    name: 'get, post, put, patch and delete by address',
    code: `
      import { ContentType } from '@medplum/core';
      export async function handler(medplum) {
        const made = await medplum.post(medplum.fhirUrl('Patient'), { resourceType: 'Patient' });
        const url = medplum.fhirUrl('Patient', made.id);
        await medplum.put(url, { ...made, active: true }, ContentType.FHIR_JSON);
        await medplum.patch(url, [{ op: 'add', path: '/gender', value: 'male' }]);
        const read = await medplum.get('fhir/R4/Patient/' + made.id);
        await medplum.delete(url);
        return [read.active, read.gender];
      }`,
    answer: [true, 'male'],
  },
  {
    name: 'what a policy does not allow is forbidden to the bot, too',
    code: `
      import { OperationOutcomeError } from '@medplum/core';
      export async function handler(medplum) {
        try { await medplum.createResource({ resourceType: 'Patient' }); } catch (error) { return error.outcome.id; }
      }`,
    bot: { accessPolicy: { reference: '{{0}}' } },
    given: [{ resourceType: 'AccessPolicy', name: 'Tasks', resource: [{ resourceType: 'Task' }] }],
    answer: 'forbidden',
  },
];
