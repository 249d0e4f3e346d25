import { expect, test } from 'vitest';
import type { OperationDefinition } from '#lib/protocol/bots/operations/operation-definition.ts';
import { addressesOf } from './operations.ts';

const definition = (more: Partial<OperationDefinition>) =>
  ({
    resourceType: 'OperationDefinition',
    code: 'admit',
    system: false,
    type: false,
    instance: false,
    ...more,
  }) as OperationDefinition;

test('an operation is called at each place that it is on', () => {
  expect(addressesOf(definition({ system: true }))).toEqual(['/fhir/R4/$admit']);
  expect(addressesOf(definition({ type: true, instance: true, resource: ['Patient', 'Person'] }))).toEqual([
    '/fhir/R4/Patient/$admit',
    '/fhir/R4/Person/$admit',
    '/fhir/R4/Patient/[id]/$admit',
    '/fhir/R4/Person/[id]/$admit',
  ]);
  for (const base of ['Resource', 'DomainResource'])
    expect(addressesOf(definition({ instance: true, resource: [base] }))).toEqual(['/fhir/R4/[type]/[id]/$admit']);
});
