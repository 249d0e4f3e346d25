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
  return [{ text: issue.message, expression: path || undefined }];
}

function toPath(path: PropertyKey[]): string {
  return path.reduce<string>(
    (text, key) => (typeof key === 'number' ? `${text}[${key}]` : text ? `${text}.${String(key)}` : String(key)),
    '',
  );
}
