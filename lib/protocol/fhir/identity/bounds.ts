import type { Issue } from '#lib/base/errors.ts';

/** Policies of one membership. What their rules come to has a bound of its own (lib/domain/access/access-weight.ts). */
export const MAX_ACCESS = 500;
/** Values for the variables of one. */
export const MAX_PARAMETERS = 100;
/** Of lists and texts in the platform's own resources: every session reads them. */
const MAX_ITEMS = 1000;
const MAX_TEXT = 64 * 1024;
/** Code of a bot has a limit of its own. */
const UNBOUND = new Set(['data', 'criteria']);

/** The first list or text that is larger than what a resource of the platform's own may hold. Expects a structurally valid resource. */
export function boundIssues(value: unknown, path: string): Issue[] {
  if (typeof value === 'string') return value.length > MAX_TEXT ? [tooLong(path, MAX_TEXT, 'characters')] : [];
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value) && value.length > MAX_ITEMS) return [tooLong(path, MAX_ITEMS, 'entries')];
  for (const [key, item] of Object.entries(value)) {
    if (UNBOUND.has(key)) continue;
    const issues = boundIssues(item, Array.isArray(value) ? `${path}[${key}]` : `${path}.${key}`);
    if (issues.length > 0) return issues;
  }
  return [];
}

function tooLong(expression: string, most: number, what: string): Issue {
  return { text: `At most ${most} ${what}`, expression, code: 'too-long' };
}
