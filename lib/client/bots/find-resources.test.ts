import { expect, test } from 'vitest';
import { titleOf, wordsOf } from './find-resources.ts';

test('a resource is called by its name, title or code, and by its id where it has none', () => {
  expect(titleOf({ id: '1', name: [{ given: ['Eve', 'Ann'], family: 'Everyday' }] })).toBe('Eve Ann Everyday');
  expect(titleOf({ id: '1', name: [{ text: 'Dr Lee', family: 'Lee' }] })).toBe('Dr Lee');
  expect(titleOf({ id: '1', name: 'Hillside' })).toBe('Hillside');
  expect(titleOf({ id: '1', code: { coding: [{ code: '2345-7', display: 'Glucose' }] } })).toBe('Glucose');
  expect(titleOf({ id: '1', name: [{}], code: { coding: [{}] } })).toBe('1');
  expect(titleOf({ id: '1', name: 7, title: null, code: 'x' })).toBe('x');
});

test('words are sought where a type has them', () => {
  expect(wordsOf('Patient').parameter).toBe('name');
  expect(wordsOf('Observation').parameter).toBe('patient.name');
  expect(wordsOf('Basic').parameter).toBe('identifier');
});
