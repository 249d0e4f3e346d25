import { AppError } from '#lib/base/errors.ts';
import { compileProfile, ProfileFault } from '#lib/protocol/fhir/profiles/compile-profile.ts';
import type { StructureDefinition } from '#lib/protocol/fhir/profiles/node.ts';
import type { Resource } from '#lib/protocol/fhir/types.ts';
import { definitionsTag } from '../../access/cache-tags.ts';
import type { TypeRule } from '../type-rule.ts';

/**
 * Profiles and value sets, by which other resources are judged: what was compiled of them ends with a change, in every process. A strict project
 * has no profile that it could not judge by; another keeps it as it is, and nothing is judged by it.
 */
export const definitionRule: TypeRule = {
  prepare({ actor, after }) {
    if (actor.strict && after.resourceType === 'StructureDefinition') requireProfile(after);
    return after;
  },
  changed: (w, row) => w.invalidate(definitionsTag(row.projectId)),
};

function requireProfile(resource: Resource): void {
  const definition = resource as StructureDefinition;
  if (definition.derivation !== 'constraint') return;
  try {
    compileProfile(definition, definition.snapshot?.element ?? definition.differential?.element ?? []);
  } catch (error) {
    if (!(error instanceof ProfileFault)) throw error;
    throw new AppError('business-rule', error.message, { expression: error.expression });
  }
}
