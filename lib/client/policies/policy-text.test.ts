import { expect, test } from 'vitest';
import { locate } from './locate.ts';
import { toPolicy, toText, withMoved, withRule } from './policy-text.ts';

const POLICY = {
  resourceType: 'AccessPolicy' as const,
  name: 'A',
  resource: [{ resourceType: 'Patient', criteria: 'Patient?x=1' }, { resourceType: 'Task' }],
};

test('what the platform sets is not in the text, and what the form does not show stays in it', () => {
  const text = toText({ ...POLICY, id: 'x', meta: { versionId: '3', tag: [{ code: 't' }] }, ipAccessRule: [] });
  expect(JSON.parse(text)).toEqual({ ...POLICY, meta: { tag: [{ code: 't' }] }, ipAccessRule: [] });
  expect(toPolicy(text)).toMatchObject(POLICY);
});

test('what a form could not show is told apart, whatever it is', () => {
  for (const bad of ['', '[', '[]', 'null', '{}', '{"resourceType":"Patient"}'])
    expect(toPolicy(bad), bad).toBeUndefined();
  for (const resource of [
    {},
    [1],
    [{}],
    [{ resourceType: 'A', hiddenFields: [1] }],
    [{ resourceType: 'A', readonly: 'x' }],
  ])
    expect(toPolicy(JSON.stringify({ ...POLICY, resource }))).toBeUndefined();
  for (const strange of [
    { ipAccessRule: {} },
    { ipAccessRule: [{ value: 1 }] },
    { extension: {} },
    { extension: [null] },
  ])
    expect(toPolicy(JSON.stringify({ ...POLICY, ...strange })), JSON.stringify(strange)).toBeUndefined();
});

test('a rule is moved within the list and never out of it', () => {
  expect(withMoved(POLICY, 1, 0).resource?.map((rule) => rule.resourceType)).toEqual(['Task', 'Patient']);
  expect(withMoved(POLICY, 0, -1)).toBe(POLICY);
  expect(withMoved(POLICY, 1, 2)).toBe(POLICY);
  expect(withRule(POLICY, 0, undefined).resource).toHaveLength(1);
  expect(withRule(POLICY, 2, { resourceType: '*' }).resource).toHaveLength(3);
});

test('what a refusal names is found in the text, or what would hold it', () => {
  const text = toText(POLICY);
  const at = (expression?: string) => text.slice(...Object.values(locate(text, expression)));
  expect(at('AccessPolicy.resource[0].criteria')).toBe('"Patient?x=1"');
  expect(at('AccessPolicy.resource[1].criteria')).toMatch(/^\{\s+"resourceType": "Task"/);
  expect(at('AccessPolicy.nothing')).toBe('{');
  expect(locate('', 'AccessPolicy.name')).toEqual({ from: 0, to: 0 });
});
