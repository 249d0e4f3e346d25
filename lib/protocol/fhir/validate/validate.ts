import type { Issue } from '#lib/base/errors.ts';
import { identityIssues } from '../identity/rules.ts';
import { isResourceType } from '../type-ids.ts';
import { type CheckContext, type Finding, type Pending, report } from './check-context.ts';
import { checkerOf } from './check-structure.ts';

/** Faults: no such resource can be stored. Findings: of a sound one, what the invariants say that we judge ourselves. Pending: what the engine says. */
export type Judged = { issues: Issue[]; findings: Finding[]; pending: Pending[] };

/**
 * Structural validation against R4 4.0.1 and the platform's own types: elements, cardinality, JSON types and formats of
 * primitives, choices, required bindings, reference targets, references to contained resources, narratives, extensions, and the rules of the
 * identity types (api.md §3).
 * `type` is the type that the caller expects. An empty list means valid; at most 50 issues are reported.
 */
export function validateResource(value: unknown, type?: string): Issue[] {
  return judgeResource(value, type).issues;
}

/** As validateResource, with what lies beyond structure: R4's invariants. */
export function judgeResource(value: unknown, type?: string): Judged {
  const fault = typeFault(value, type);
  if (fault) return { issues: [fault], findings: [], pending: [] };
  const { resourceType } = value as { resourceType: string };
  const context: CheckContext = {
    path: [resourceType],
    issues: [],
    findings: [],
    pending: [],
    root: resourceType,
    contained: new Set(),
  };
  checkerOf(resourceType)(value as object, context);
  if (context.issues.length === 0) {
    for (const issue of identityIssues(value as object, resourceType)) report(context, issue);
  }
  const { issues, findings, pending } = context;
  return { issues, findings, pending };
}

function typeFault(value: unknown, type: string | undefined): Issue | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { text: 'A resource must be a JSON object', code: 'structure' };
  }
  const { resourceType } = value as { resourceType?: unknown };
  if (resourceType === undefined)
    return { text: 'resourceType is missing', expression: 'resourceType', code: 'required' };
  if (!isResourceType(resourceType)) {
    const text = `Unknown resource type: ${String(resourceType).slice(0, 80)}`;
    return { text, expression: 'resourceType', code: 'value' };
  }
  if (type === undefined || type === resourceType) return undefined;
  return { text: `Expected a ${type}, not a ${resourceType}`, expression: 'resourceType', code: 'value' };
}
