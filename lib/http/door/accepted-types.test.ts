import fc from 'fast-check';
import { expect, test } from 'vitest';
import { acceptedTypes, acceptsOneOf } from './accepted-types.ts';

function callerOf(accept?: string): Request {
  return new Request('https://gate.example/', { headers: accept === undefined ? {} : { accept } });
}

test.each([
  [undefined, []],
  ['', []],
  ['*/*', ['*/*']],
  ['text/event-stream', ['text/event-stream']],
  ['Text/Event-Stream; charset=utf-8', ['text/event-stream']],
  ['application/json;q=0.1, text/event-stream', ['text/event-stream', 'application/json']],
  ['text/event-stream;q=0, application/json', ['application/json']],
  ['text/html;level="1,2";q=0.4, text/plain', ['text/plain', 'text/html']],
  ['nothing, text/html', ['text/html']],
])('Accept: %s names %j', (accept, types) => expect(acceptedTypes(callerOf(accept))).toEqual(types));

test('a type with parameters takes one of ours that has them all', () => {
  const ours = ['application/fhir+json; fhirVersion=4.0; charset=utf-8'];
  const takes = (accept: string) => acceptsOneOf(callerOf(accept), ours);
  expect(takes('application/fhir+json; fhirversion="4.0"')).toBe(true);
  expect(takes('application/fhir+json; fhirVersion=5.0')).toBe(false);
  expect(takes('*/*')).toBe(true);
});

test('no header whatever makes it throw', () => {
  const text = fc.stringMatching(/^[a-z*/;,="\\ q0-9.]*$/);
  fc.assert(fc.property(text, (accept) => Array.isArray(acceptedTypes(callerOf(accept)))));
});
