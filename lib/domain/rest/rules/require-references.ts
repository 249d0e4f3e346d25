import { AppError, type Issue } from '#lib/base/errors.ts';
import { parseReference } from '#lib/protocol/fhir/references.ts';
import type { Reference } from '#lib/protocol/fhir/types.ts';
import type { Write } from '../../access/context.ts';
import { shareRow } from '../../store/find-row.ts';

/** Each reference, by its FHIRPath, points at a living resource of this type in the project, and will until the commit; else 400. */
export async function requireReferences(
  w: Write,
  projectId: string,
  type: string,
  references: (readonly [expression: string, reference: Reference | undefined])[],
): Promise<void> {
  const issues: Issue[] = [];
  for (const [expression, reference] of references) {
    if (reference === undefined || (await exists(w, projectId, type, reference.reference))) continue;
    issues.push({ text: `${type} ${reference.reference ?? ''} does not exist in this project`, expression });
  }
  if (issues.length > 0) throw new AppError('invalid', issues[0]!.text, { issues });
}

async function exists(w: Write, projectId: string, type: string, reference: string | undefined): Promise<boolean> {
  const parsed = reference === undefined ? undefined : parseReference(reference);
  if (parsed?.kind !== 'local' || parsed.type !== type) return false;
  const row = await shareRow(w.tx, projectId, type, parsed.id);
  return row !== undefined && !row.deleted;
}
