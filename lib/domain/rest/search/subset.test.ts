import { expect, test } from 'vitest';
import { toSubset } from './subset.ts';

const observation = JSON.stringify({
  resourceType: 'Observation',
  id: 'o',
  meta: { versionId: '1' },
  text: { status: 'generated', div: '<div xmlns="http://www.w3.org/1999/xhtml">x</div>' },
  status: 'final',
  code: { text: 'weight' },
  effectiveDateTime: '2024-01-01',
  _effectiveDateTime: { extension: [{ url: 'urn:x', valueBoolean: true }] },
  valueQuantity: { value: 1 },
  note: [{ text: 'a note' }],
});
const statement = JSON.stringify({
  resourceType: 'MedicationStatement',
  id: 'm',
  status: 'active',
  medicationCodeableConcept: { text: 'aspirin' },
  subject: { reference: 'Patient/1' },
  note: [{ text: 'a note' }],
});

test('_elements means a choice by its name, and keeps the extensions of its values', () => {
  expect(kept('Observation', observation, { elements: ['value', 'Observation.effective'] })).toEqual([
    'status',
    'code',
    'effectiveDateTime',
    '_effectiveDateTime',
    'valueQuantity',
  ]);
  expect(kept('Observation', observation, { elements: ['valueQuantity', 'note.text'] })).toEqual([
    'status',
    'code',
    'valueQuantity',
    'note',
  ]);
});

test('a mandatory choice stays in every subset', () => {
  for (const wanted of [{ elements: ['note'] }, { summary: 'text' as const }, { summary: 'true' as const }]) {
    expect(kept('MedicationStatement', statement, wanted)).toContain('medicationCodeableConcept');
  }
  expect(kept('Observation', observation, { summary: 'text' })).toEqual(['text', 'status', 'code']);
});

test('_summary=true keeps choices that belong to the summary, data all but the narrative', () => {
  const summary = kept('Observation', observation, { summary: 'true' });
  expect(summary).toEqual(['status', 'code', 'effectiveDateTime', '_effectiveDateTime', 'valueQuantity']);
  expect(kept('Observation', observation, { summary: 'data' })).toEqual([...summary, 'note']);
});

function kept(type: string, text: string, wanted: Parameters<typeof toSubset>[2]): string[] {
  const { resourceType, id, meta, ...rest } = JSON.parse(toSubset(type, text, { ...wanted }));
  expect([resourceType, id !== undefined, meta.tag.at(-1).code]).toEqual([type, true, 'SUBSETTED']);
  return Object.keys(rest);
}
