import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AppError } from '#lib/base/errors.ts';
import { parseJson } from './json.ts';
import { applyJsonPatch } from './json-patch.ts';

const OPTIONS = { forbidden: ['/id', '/resourceType'] };
const member = { resourceType: 'ProjectMembership', id: 'm1', access: [{ policy: 'a' }], userName: 'x' };

function codeOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (error instanceof AppError) return error.code;
    throw error;
  }
  return 'ok';
}

const patch = (ops: unknown, document: object = member) => applyJsonPatch(document, ops, OPTIONS);

describe('what it does', () => {
  test('replace of an absent top-level member adds it, as the published sample needs', () => {
    expect(patch([{ op: 'replace', path: '/admin', value: true }])).toEqual({ ...member, admin: true });
  });

  test('replace of an absent member further down is refused', () => {
    expect(codeOf(() => patch([{ op: 'replace', path: '/access/0/nosuch', value: 1 }]))).toBe('invalid');
  });

  test('operations apply in order, and the document that was given stays as it was', () => {
    const before = structuredClone(member);
    const after = patch([
      { op: 'add', path: '/access/-', value: { policy: 'b' } },
      { op: 'move', from: '/userName', path: '/externalId' },
      { op: 'copy', from: '/access/1', path: '/access/0' },
      { op: 'remove', path: '/access/1' },
      { op: 'test', path: '/externalId', value: 'x' },
    ]);
    expect(after).toEqual({
      resourceType: 'ProjectMembership',
      id: 'm1',
      access: [{ policy: 'b' }, { policy: 'b' }],
      externalId: 'x',
    });
    expect(member).toEqual(before);
  });

  test('decimals keep their digits, also when copied', () => {
    const document = parseJson('{"a":{"value":1.50}}') as object;
    const after = patch([{ op: 'copy', from: '/a', path: '/b' }], document);
    expect(JSON.stringify(after)).toBe('{"a":{"value":1.50},"b":{"value":1.50}}');
  });

  test.for(['1.50', '1.5', '72.0', '72', '1e3', '1000', '-0', '0'])('a number is tested by its value: %s', (digits) => {
    const value = parseJson(`{"value":${digits},"unit":"mg"}`);
    const document = { dose: value, at: Number(digits) };
    expect(codeOf(() => patch([{ op: 'test', path: '/dose', value }], document))).toBe('ok');
    const tests = ['/dose/value', '/at'].flatMap((path) =>
      [parseJson(digits), Number(digits)].map((number) => ({ op: 'test', path, value: number })),
    );
    expect(codeOf(() => patch(tests, document))).toBe('ok');
    expect(codeOf(() => patch([{ op: 'test', path: '/at', value: 7 }], document))).toBe('precondition-failed');
  });

  test('an empty name is a name, where a member stands and not an item', () => {
    expect(patch([{ op: 'add', path: '/text/', value: 1 }], { text: {} })).toEqual({ text: { '': 1 } });
  });

  test('a move of a large member costs no copy, and one to where it is changes nothing', () => {
    const large = Array.from({ length: 200_000 }, (_, at) => ({ at }));
    const names = Array.from({ length: 1001 }, (_, at) => `/x${at}`);
    const ops = names.slice(1).map((path, at) => ({ op: 'move', from: names[at], path }));
    const after = patch(ops, { x0: large }) as Record<string, unknown>;
    expect(after.x1000).toHaveLength(200_000);
    expect(patch([{ op: 'move', from: '/access', path: '/access' }])).toEqual(member);
    const tests = Array.from({ length: 1000 }, () => ({ op: 'test', path: '/x0', value: [] }));
    expect(codeOf(() => patch(tests, { x0: large }))).toBe('precondition-failed');
  });

  test('a member whose name holds / and ~ is reached by its escapes', () => {
    expect(patch([{ op: 'replace', path: '/a~1b~0c', value: 2 }], { 'a/b~c': 1 })).toEqual({ 'a/b~c': 2 });
  });
});

describe('what it refuses', () => {
  test.each([
    ['no array', { op: 'add' }],
    ['an empty array', []],
    ['nothing', undefined],
    ['an operation that is no object', [1]],
    ['null', [null]],
    ['an unknown op', [{ op: 'merge', path: '/admin', value: 1 }]],
    ["the library's own _get", [{ op: '_get', path: '/admin' }]],
    ['a path without its slash', [{ op: 'add', path: 'admin', value: 1 }]],
    ['the root', [{ op: 'replace', path: '', value: {} }]],
    ['a path that is no text', [{ op: 'add', path: 1, value: 1 }]],
    ['a bad escape', [{ op: 'add', path: '/a~2', value: 1 }]],
    ['no value', [{ op: 'add', path: '/admin' }]],
    ['move without from', [{ op: 'move', path: '/admin' }]],
    ['remove of what is absent', [{ op: 'remove', path: '/nosuch' }]],
    ['copy of what is absent', [{ op: 'copy', from: '/nosuch', path: '/b' }]],
    ['an index past the end', [{ op: 'add', path: '/access/9', value: {} }]],
    ['an index that is no number', [{ op: 'add', path: '/access/length', value: 0 }]],
    ["an array's length as a source", [{ op: 'copy', from: '/access/length', path: '/b' }]],
    ...['', '01', '00', '-1', '1.0', ' 0', '+0', '1e0'].flatMap((token): [string, object[]][] => [
      [`add at the index '${token}'`, [{ op: 'add', path: `/access/${token}`, value: {} }]],
      [`replace at the index '${token}'`, [{ op: 'replace', path: `/access/${token}`, value: {} }]],
      [`a test at the index '${token}'`, [{ op: 'test', path: `/access/${token}/policy`, value: 'a' }]],
      [`a move to the index '${token}'`, [{ op: 'move', from: '/userName', path: `/access/${token}` }]],
    ]),
    ['replace of what stands after the last item', [{ op: 'replace', path: '/access/-', value: {} }]],
    ['remove of what stands after the last item', [{ op: 'remove', path: '/access/-' }]],
    ['below what stands after the last item', [{ op: 'add', path: '/access/-/policy', value: 'b' }]],
    ['moving a member into itself', [{ op: 'move', from: '/access', path: '/access/0/x' }]],
    ['a forbidden member', [{ op: 'replace', path: '/id', value: 'x' }]],
    ['below a forbidden member', [{ op: 'add', path: '/id/x', value: 'x' }]],
    ['moving a forbidden member away', [{ op: 'move', from: '/id', path: '/b' }]],
    ['a path of a million names', [{ op: 'test', path: '/a'.repeat(1_000_000), value: 1 }]],
    ['a source of a million names', [{ op: 'move', from: '/'.repeat(1_000_000), path: '/a' }]],
    ['more operations than it takes', Array.from({ length: 1001 }, () => ({ op: 'add', path: '/a', value: 1 }))],
  ])('%s: 400', (_, ops) => {
    expect(codeOf(() => patch(ops))).toBe('invalid');
  });

  test('a test that fails: 412', () => {
    expect(codeOf(() => patch([{ op: 'test', path: '/userName', value: 'y' }]))).toBe('precondition-failed');
    expect(codeOf(() => patch([{ op: 'test', path: '/nosuch/deep', value: 'y' }]))).toBe('precondition-failed');
  });

  test('copies that double the document again and again', () => {
    const ops = Array.from({ length: 40 }, () => ({ op: 'copy', from: '/a', path: '/a/-' }));
    expect(codeOf(() => patch(ops, { a: ['x'.repeat(100)] }))).toBe('invalid');
  });
});

const segment = fc.oneof(
  fc.constantFrom(
    '__proto__',
    'constructor',
    'prototype',
    'toString',
    'id',
    'resourceType',
    'access',
    '0',
    '-',
    'length',
    'admin',
    'hasOwnProperty',
  ),
  fc.string({ maxLength: 5 }).map((text) => text.replace(/~/g, '~0').replace(/\//g, '~1')),
);
const pointer = fc.array(segment, { minLength: 1, maxLength: 4 }).map((segments) => `/${segments.join('/')}`);
const operation = fc.record({
  op: fc.constantFrom('add', 'remove', 'replace', 'move', 'copy', 'test'),
  path: pointer,
  from: pointer,
  value: fc.jsonValue(),
});

test('no patch pollutes a prototype, changes a forbidden member, or fails with anything but 400 and 412', () => {
  fc.assert(
    fc.property(fc.array(operation, { minLength: 1, maxLength: 6 }), (ops) => {
      let after: Record<string, unknown> | undefined;
      const code = codeOf(() => {
        after = patch(ops) as Record<string, unknown>;
      });
      expect(['ok', 'invalid', 'precondition-failed', 'structure']).toContain(code);
      expect(Object.keys(Object.prototype)).toEqual([]);
      expect(({} as Record<string, unknown>).admin).toBeUndefined();
      if (after) expect([after.id, after.resourceType]).toEqual(['m1', 'ProjectMembership']);
    }),
    { numRuns: 3000 },
  );
});

test('add and then remove gives the document back', () => {
  const name = fc.string({ minLength: 1, maxLength: 8 }).filter((text) => !(text in {}) && text !== 'prototype');
  fc.assert(
    fc.property(name, fc.jsonValue(), (key, value) => {
      const path = `/x${key.replace(/~/g, '~0').replace(/\//g, '~1')}`;
      expect(
        patch([
          { op: 'add', path, value },
          { op: 'remove', path },
        ]),
      ).toEqual(member);
    }),
  );
});
