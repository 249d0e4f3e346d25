import { expect, test } from 'vitest';
import type { RunContent } from '#lib/protocol/bots/runs/bot-runs.ts';
import { toSampleInput } from './sample-of-run.ts';

const input = (more: Partial<RunContent>): { input: RunContent } => ({
  input: { kind: 'json', bytes: 1, text: '{}', isKept: true, isCut: false, ...more },
});

test.each([
  [{}, 'application/json'],
  [{ text: '{ "resourceType": "Patient"}' }, 'application/fhir+json'],
  [{ kind: 'form', text: 'a=b' }, 'application/x-www-form-urlencoded'],
  [{ kind: 'text', text: 'x' }, 'text/plain'],
  [{ kind: 'hl7', text: 'MSH|' }, 'x-application/hl7-v2+er7'],
] as [Partial<RunContent>, string][])('what went in is a sample’s input, of its type: %j', (more, contentType) => {
  const run = input(more);
  expect(toSampleInput(run)).toEqual({ contentType, body: run.input.text });
});

test.each([{ isKept: false }, { isCut: true }, { text: null }, { text: '{"key": "[secret LAB_KEY]"}' }])(
  'what is not there as it was is none: %j',
  (more) => {
    expect(toSampleInput(input(more))).toBeUndefined();
  },
);

test('nothing is no sample', () => {
  expect(toSampleInput({ input: null })).toBeUndefined();
});
