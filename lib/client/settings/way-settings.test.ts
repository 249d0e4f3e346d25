import { expect, test } from 'vitest';
import type { Project } from '#lib/protocol/fhir/types.ts';
import { readWaySettings, toWaySettings } from './way-settings.ts';

const kept = { name: 'auditReads', valueBoolean: true };
const project: Project = {
  resourceType: 'Project',
  setting: [kept, { name: 'signInWays.Practitioner', valueString: 'provider' }],
};

test('administrators of whom nothing is said are as practitioners are', () => {
  expect(readWaySettings(project)).toEqual({
    Admin: ['provider'],
    Practitioner: ['provider'],
    Patient: ['password', 'passkey', 'provider'],
    RelatedPerson: ['password', 'passkey', 'provider'],
  });
});

test('only what is edited is said anew, and every other setting stays', () => {
  expect(toWaySettings(project, { Patient: ['link', 'passkey'] })).toEqual([
    kept,
    { name: 'signInWays.Practitioner', valueString: 'provider' },
    { name: 'signInWays.Patient', valueString: 'link,passkey' },
  ]);
});
