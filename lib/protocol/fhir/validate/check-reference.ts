import { isVariable } from '../identity/policy-compartment.ts';
import { parseReference } from '../references.ts';
import { isIdentityType, isResourceType } from '../type-ids.ts';
import { type CheckContext, fail } from './check-context.ts';

/**
 * A literal reference must be `Type/id`, `#id` or an absolute URI, and a local one must point at an allowed type.
 * Inside a Bundle it may be conditional (`Type?query`): transactions resolve those.
 */
export function checkReference(value: unknown, targets: readonly string[] | undefined, context: CheckContext): void {
  const reference = (value as { reference?: unknown } | null)?.reference;
  if (typeof reference !== 'string' || reference === '') return;
  const parsed = parseReference(reference);
  context.path.push('reference');
  if (!parsed && !(context.root === 'Bundle' && isConditional(reference)) && !isOfPolicy(reference, context)) {
    fail(context, 'value', 'Must be Type/id of a known type, #id or an absolute URI');
  } else if (parsed?.kind === 'contained') checkContained(parsed.id, context);
  else if (parsed?.kind === 'local' && targets && !mayRefer(parsed.type, targets, context)) {
    fail(context, 'value', `Must refer to ${targets.join(', ')}, not to ${parsed.type}`);
  }
  context.path.pop();
}

/** ref-1. A contained resource may refer to what contains it: `#`. */
export function checkContained(id: string, context: CheckContext): void {
  if (id !== '' && !context.contained.has(id)) {
    fail(context, 'invariant', `No contained resource has the id ${id.slice(0, 80)}`);
  }
}

/** R4's own elements do not know the platform's types; they may refer to them all the same (an author that is a Bot). */
function mayRefer(type: string, targets: readonly string[], { root }: CheckContext): boolean {
  return targets.includes(type) || (isIdentityType(type) && !isIdentityType(root));
}

/** What the entry that names the policy says; of which elements, its own rules judge. */
function isOfPolicy(reference: string, { root }: CheckContext): boolean {
  return root === 'AccessPolicy' && isVariable(reference);
}

function isConditional(reference: string): boolean {
  const question = reference.indexOf('?');
  return question > 0 && isResourceType(reference.slice(0, question));
}
