import type { Issue } from '#lib/base/errors.ts';
import { parseReference } from '../references.ts';
import type { AccessPolicy } from '../types.ts';

/** That one policy names. */
const MOST_BASES = 20;

/** What a policy is based on is other policies, each once. Expects a structurally valid policy. */
export function basedOnIssues({ basedOn = [] }: AccessPolicy): Issue[] {
  if (basedOn.length > MOST_BASES)
    return [wrong('AccessPolicy.basedOn', `A policy is based on at most ${MOST_BASES} others`)];
  return basedOn.flatMap(({ reference = '' }, index) => {
    const parsed = parseReference(reference);
    const path = `AccessPolicy.basedOn[${index}]`;
    if (parsed?.kind !== 'local' || parsed.type !== 'AccessPolicy' || parsed.version !== undefined)
      return [wrong(path, 'basedOn is a reference like AccessPolicy/<id>')];
    const isTwice = basedOn.findIndex((other) => other.reference === reference) < index;
    return isTwice ? [wrong(path, 'This policy is named twice')] : [];
  });
}

function wrong(expression: string, text: string): Issue {
  return { text, expression, code: 'invariant' };
}
