import { expect, test } from 'vitest';
import { asksForFhir, requireAcceptable } from './negotiation.ts';

function isAcceptable(accept: string | undefined, query = ''): boolean {
  const url = new URL(`https://gate.example/fhir/R4/Patient${query}`);
  try {
    requireAcceptable(new Request(url, { headers: accept === undefined ? {} : { accept } }), url);
    return true;
  } catch (error) {
    expect(error).toMatchObject({ code: 'not-acceptable' });
    return false;
  }
}

test.each([
  undefined,
  '',
  '*/*',
  'application/*',
  'application/fhir+json',
  'application/json',
  'text/json',
  'Application/FHIR+JSON',
  'application/fhir+json, */*; q=0.1',
  'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
  'application/fhir+xml, application/fhir+json;q=0.001',
  'application/json; charset=utf-8',
  'application/json; charset=iso-8859-1; odata.metadata=minimal',
  'application/fhir+json; fhirVersion=4.0',
  'application/fhir+json; fhirversion=4.0.1',
  'application/fhir+json;fhirVersion="4.0";charset=UTF-8',
  'application/fhir+json; charset=utf-8; fhirVersion=4.0.1; q=0.5',
  'application/fhir+json; fhirVersion=5.0, application/fhir+json; fhirVersion=4.0; q=0.5',
  'application/fhir+json; fhirVersion=5.0, application/json; q=0.1',
  'application/json;q=0, application/fhir+json',
])('Accept: %s takes what we write', (accept) => expect(isAcceptable(accept)).toBe(true));

test.each([
  'application/fhir+xml',
  'text/html',
  'text/*',
  'application/json;q=0',
  'application/json; q=0.000',
  'application/json;q=x',
  '*/*;q=0',
  'application/fhir+json; fhirVersion=5.0',
  'application/fhir+json; fhirVersion=3.0.2; charset=utf-8',
  'application/fhir+json; fhirVersion=4.0; q=0',
  'application/fhir+json; fhirVersion=4',
  ',;q=1;;,',
])('Accept: %s takes nothing that we write', (accept) => expect(isAcceptable(accept)).toBe(false));

test.each([
  ['?_format=json', 'application/fhir+xml', true],
  ['?_format=application/fhir+json', 'text/html', true],
  ['?_format=application/fhir%2Bjson;%20charset=utf-8', undefined, true],
  ['?_format=xml', 'application/fhir+json', false],
  ['?_format=', '*/*', false],
])('%s is stronger than Accept: %s', (query, accept, taken) => expect(isAcceptable(accept, query)).toBe(taken));

test.each([
  [undefined, '', false],
  ['*/*', '', false],
  ['application/json', '', false],
  ['application/fhir+json, */*; q=0.1', '', true],
  ['image/png, Application/FHIR+json; charset=utf-8; q=0.2', '', true],
  ['application/fhir+json;q=0, */*', '', false],
  ['application/fhir+json', '?_format=image/png', false],
  ['*/*', '?_format=json', true],
])('Accept: %s%s asks for FHIR by name: %j', (accept, query, asked) => {
  const url = new URL(`https://gate.example/fhir/R4/Binary/1${query}`);
  expect(asksForFhir(new Request(url, { headers: accept === undefined ? {} : { accept } }), url)).toBe(asked);
});
