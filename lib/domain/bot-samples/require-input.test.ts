import { expect, test } from 'vitest';
import { toInput } from '../rehearsals/dry-run.ts';
import { requireInput } from './require-input.ts';

const TYPES = [
  ...['text/plain', 'TEXT/Plain; charset=utf-8', 'application/json', 'application/fhir+json;a=b', 'application/pdf'],
  ...['x-application/hl7-v2+er7', 'application/x-www-form-urlencoded', 'application/json-patch+json', 'text/json'],
  ...['text/html', 'multipart/form-data', 'application/vnd.api+json', 'application/xml'],
];
const MANY = `[${'0,'.repeat(2_000_000)}0]`;
const BODIES = ['', '{}', '{', 'a=b', 'MSH|', `${'['.repeat(200)}${']'.repeat(200)}`, MANY, '{"a":1,"a":2}', 'null'];

const codeOf = (act: () => unknown) => {
  try {
    act();
    return 'taken';
  } catch (error) {
    return (error as { code: string }).code;
  }
};

test.each(TYPES)('what is kept as %s is what a bot can be given', (contentType) => {
  for (const body of BODIES) {
    const input = { contentType, body };
    expect(
      codeOf(() => requireInput(input)),
      body.slice(0, 20),
    ).toBe(codeOf(() => toInput(input)));
  }
});
