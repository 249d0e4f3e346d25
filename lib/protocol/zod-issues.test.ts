import { expect, it } from 'vitest';
import { z } from 'zod';
import { toIssues } from './zod-issues.ts';

const schema = z.strictObject({
  name: z.string().min(2).max(4),
  kind: z.enum(['a', 'b']),
  tags: z.array(z.string()).max(1),
  deep: z.strictObject({ on: z.boolean() }),
  said: z.string({ error: 'said must be what it is' }),
});

const told = (value: unknown, root?: string) => {
  const { error } = schema.safeParse(value);
  return toIssues(error!, root).map(({ text, expression }) => [expression, text]);
};

it('says in words what a schema that has none of its own asks for, by the path of the field', () => {
  expect(told({ name: 'abcde', kind: 'c', tags: [1], deep: { on: 1, off: 1 } })).toEqual([
    ['name', 'name must be at most 4 characters long'],
    ['kind', 'kind must be one of a, b'],
    ['tags[0]', 'tags[0] must be a text'],
    ['deep.on', 'deep.on must be true or false'],
    ['deep.off', 'Unknown field off'],
    ['said', 'said must be what it is'],
  ]);
  expect(told({ name: 'a', kind: 'a', tags: {}, said: '' }, 'Project')).toEqual([
    ['Project.name', 'Project.name must be at least 2 characters long'],
    ['Project.tags', 'Project.tags must be a list'],
    ['Project.deep', 'Project.deep is required'],
  ]);
  expect(told({ name: 'ab', kind: 'a', tags: ['x', 'y'], deep: { on: true }, said: '' })).toEqual([
    ['tags', 'tags must be at most 1 item long'],
  ]);
  expect(told([])).toEqual([[undefined, 'The body must be an object']]);
  expect(told(undefined)).toEqual([[undefined, 'The body is required']]);
});
