import { ask } from '#lib/infra/fhirpath/ask.ts';
import { invariantsOf } from '#lib/protocol/fhir/invariants/invariants-of.ts';
import type { Resource } from '#lib/protocol/fhir/types.ts';
import { expressionOf, type Finding } from '#lib/protocol/fhir/validate/check-context.ts';
import type { Judged } from '#lib/protocol/fhir/validate/validate.ts';
import type { Actor } from '../access/context.ts';

/**
 * Everything that R4's invariants say of a sound resource: what was judged with its structure, and what the engine for FHIRPath says of the
 * rest. An expression that says nothing, or that cannot be evaluated in time, stands against nobody: they are R4's own, and some are wrong.
 */
export async function findFaults({ projectId }: Actor, resource: Resource, judged: Judged): Promise<Finding[]> {
  const asked = judged.pending.flatMap(({ at, path }) => {
    return invariantsOf(path).expressions.map((invariant) => ({ at, path, ...invariant }));
  });
  if (asked.length === 0) return judged.findings;
  const answers = await ask(
    projectId,
    JSON.stringify(resource),
    asked.map(({ at, path, expression }) => ({ at, path, expression })),
  );
  const told = asked.flatMap(({ at, key, severity, text }, index): Finding[] => {
    if (answers[index] !== 'false') return [];
    const expression = expressionOf([resource.resourceType, ...at]);
    return [{ severity, code: 'invariant', text: `${text} (${key})`, expression }];
  });
  return [...judged.findings, ...told];
}
