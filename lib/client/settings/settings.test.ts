import { expect, test } from 'vitest';
import type { Project } from '#lib/protocol/fhir/types.ts';
import { toPatch } from './settings.ts';

const PROJECT: Project = { resourceType: 'Project', id: 'p', name: 'Old', description: 'Words' };

test('a patch names what was edited and nothing else', () => {
  expect(toPatch(PROJECT, { name: 'New' })).toEqual([{ op: 'add', path: '/name', value: 'New' }]);
});

test('what became empty is removed, and what was never there is left alone', () => {
  expect(toPatch(PROJECT, { description: '', defaultAccessPolicies: [] })).toEqual([
    { op: 'remove', path: '/description' },
  ]);
});
