import { expect, test } from 'vitest';
import { toRequest } from './execute.ts';

test.each([
  ['json', '{"a":1}', 'application/json', '{"a":1}'],
  ['text', 'a\nb', 'text/plain', 'a\nb'],
  ['form', 'a = 1\nb=2 3', 'application/x-www-form-urlencoded', 'a=1&b=2+3'],
  ['form', 'a=1&b=2', 'application/x-www-form-urlencoded', 'a=1&b=2'],
  ['fhir', '{"resourceType":"Patient"}', 'application/fhir+json', '{"resourceType":"Patient"}'],
  ['hl7', 'MSH|^~\\&|A\nPID|1\n', 'x-application/hl7-v2+er7', 'MSH|^~\\&|A\rPID|1'],
] as const)('%s is sent as its own content type', (kind, text, contentType, body) => {
  expect(toRequest('b', { kind, text })).toEqual({
    path: '/fhir/R4/Bot/b/$execute',
    init: { method: 'POST', headers: { 'Content-Type': contentType }, body },
  });
});

test('a query is a GET whose parameters are escaped', () => {
  expect(toRequest('b', { kind: 'query', text: 'name=Ada & Ben\nx=' })).toEqual({
    path: '/fhir/R4/Bot/b/$execute?name=Ada+%26+Ben&x=',
    init: { method: 'GET' },
  });
});
