import { expect, test } from 'vitest';
import { toLabel, toSeenTypes } from './facts.ts';

test('the types of which something is read stand once each', () => {
  const resource = [
    { resourceType: 'Patient', interaction: ['read' as const] },
    { resourceType: 'Observation', interaction: ['search' as const] },
    { resourceType: 'Patient', interaction: ['history' as const, 'search' as const] },
    { resourceType: 'Task', interaction: ['history' as const] },
  ];
  expect(toSeenTypes({ resourceType: 'AccessPolicy', resource })).toEqual(['Observation', 'Patient']);
});

test.each([
  [{ resourceType: 'Patient', name: [{ given: ['Ann'], family: 'Lee' }] }, 'Ann Lee'],
  [{ resourceType: 'Patient', name: [{ text: 'Dr Lee' }] }, 'Dr Lee'],
  [{ resourceType: 'Organization', name: 'Clinic' }, 'Clinic'],
  [{ resourceType: 'Observation', code: { coding: [{ display: 'Weight' }] } }, 'Weight'],
  [{ resourceType: 'Patient', name: [] }, undefined],
])('what a record is called', (resource, label) => expect(toLabel(resource)).toBe(label));
