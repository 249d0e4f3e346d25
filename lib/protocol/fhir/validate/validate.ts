import type { Issue } from '#lib/base/errors.ts';
import { identityIssues } from '../identity/rules.ts';
import { isResourceType } from '../type-ids.ts';
import { type CheckContext, report } from './check-context.ts';
import { checkerOf } from './check-structure.ts';

/**
 * Structural validation against R4 4.0.1 and the platform's own types: elements, cardinality, JSON types and formats of
 * primitives, choices, required bindings, reference targets, references to contained resources, narratives, extensions, and the rules of the identity types (api.md §3).
 * `type` is the type that the caller expects. An empty list means valid; at most 50 issues are reported.
 */
export function validateResource(value: unknown, type?: string): Issue[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return [{ text: 'A resource must be a JSON object', code: 'structure' }];
  }
  const { resourceType } = value as { resourceType?: unknown };
  if (resourceType === undefined)
    return [{ text: 'resourceType is missing', expression: 'resourceType', code: 'required' }];
  if (!isResourceType(resourceType)) {
    return [
      {
        text: `Unknown resource type: ${String(resourceType).slice(0, 80)}`,
        expression: 'resourceType',
        code: 'value',
      },
    ];
  }
  if (type !== undefined && type !== resourceType) {
    return [{ text: `Expected a ${type}, not a ${resourceType}`, expression: 'resourceType', code: 'value' }];
  }
  const context: CheckContext = { path: [resourceType], issues: [], root: resourceType, contained: new Set() };
  checkerOf(resourceType)(value, context);
  if (context.issues.length === 0) for (const issue of identityIssues(value, resourceType)) report(context, issue);
  return context.issues;
}
