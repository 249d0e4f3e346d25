import type { z } from 'zod';
import type { Issue } from '#lib/base/errors.ts';

/** What is wrong with an input, one issue a field with its path. `root` stands before the paths (`Project.name`). */
export function toIssues(error: z.core.$ZodError, root?: string): Issue[] {
  return error.issues.flatMap((issue) => issuesOf(issue, root));
}

function issuesOf(issue: z.core.$ZodIssue, root: string | undefined): Issue[] {
  const path = toPath(root ? [root, ...issue.path] : issue.path);
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      text: `Unknown field ${key}`,
      expression: path ? `${path}.${key}` : key,
      code: 'structure',
    }));
  }
  return [
    {
      text: ZODS_OWN.test(issue.message) ? wordsOf(issue, path || 'The body') : issue.message,
      expression: path || undefined,
    },
  ];
}

/** Where a schema has no text of its own. */
const ZODS_OWN = /^(?:Invalid |Too (?:big|small): )/;
const KINDS: Record<string, string> = {
  array: 'a list',
  object: 'an object',
  record: 'an object',
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
};

function wordsOf(issue: z.core.$ZodIssue, name: string): string {
  if (issue.message.endsWith('received undefined')) return `${name} is required`;
  switch (issue.code) {
    case 'invalid_type':
      return `${name} must be ${KINDS[issue.expected] ?? `of the type ${issue.expected}`}`;
    case 'invalid_value':
      return `${name} must be ${issue.values.length > 1 ? 'one of ' : ''}${issue.values.map(String).join(', ')}`;
    case 'too_big':
      return `${name} must be at most ${counted(issue.maximum, issue.origin)}`;
    case 'too_small':
      return `${name} must be at least ${counted(issue.minimum, issue.origin)}`;
    case 'invalid_format':
      return `${name} is no valid ${issue.format}`;
    default:
      return `${name} is not what it must be`;
  }
}

const COUNTED: Record<string, string> = { string: 'character', array: 'item' };

function counted(many: number | bigint, origin: string): string {
  const unit = COUNTED[origin];
  return unit ? `${many} ${unit}${Number(many) === 1 ? '' : 's'} long` : String(many);
}

function toPath(path: PropertyKey[]): string {
  return path.reduce<string>(
    (text, key) => (typeof key === 'number' ? `${text}[${key}]` : text ? `${text}.${String(key)}` : String(key)),
    '',
  );
}
