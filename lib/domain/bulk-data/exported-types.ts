import { AppError } from '#lib/base/errors.ts';
import type { ExportRequest } from '#lib/protocol/fhir/bulk/read-export-request.ts';
import { isIdentityType, resourceTypes } from '#lib/protocol/fhir/type-ids.ts';
import type { Actor } from '../access/context.ts';
import { mayReach, reach } from '../access/policy.ts';
import { refuseClosed } from '../rest/locate.ts';
import { typesWithin } from '../rest/search/compartment.ts';
import { ruleOf } from '../rest/type-rules.ts';

/**
 * The types that an export is about: those that are named, each of which the caller must be able to search (403), as they must those of its filters; or
 * all that they may. What the platform adds (members, clients, policies) has its own ways out, and so has a Binary, whose bytes no line would hold.
 */
export function exportedTypes(
  actor: Actor,
  { types: named, filters }: Pick<ExportRequest, 'types' | 'filters'>,
  isOfPatients: boolean,
): string[] {
  const possible = (isOfPatients ? typesWithin({ type: 'Patient', id: '' }) : resourceTypes()).filter(isExported);
  const requireExported = (type: string, expression: string) => {
    refuseClosed(actor, type, 'search');
    reach(actor, type, 'search');
    if (possible.includes(type)) return;
    const text = isOfPatients ? `${type} is not in the compartment of a Patient` : `${type} is not exported`;
    throw new AppError('invalid', text, { expression });
  };
  for (const type of named ?? []) requireExported(type, '_type');
  for (const { type } of filters) requireExported(type, '_typeFilter');
  if (!named) {
    const types = possible.filter((type) => mayReach(actor, type, 'search'));
    if (types.length === 0) throw new AppError('forbidden', 'Forbidden');
    return types;
  }
  return [...named];
}

function isExported(type: string): boolean {
  const { elsewhere, closed } = ruleOf(type);
  return !isIdentityType(type) && !elsewhere && !closed?.search && type !== 'Binary';
}
