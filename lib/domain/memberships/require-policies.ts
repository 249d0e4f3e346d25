import { AppError, type Issue } from '#lib/base/errors.ts';
import type { Queryable } from '#lib/infra/db/client.ts';
import { parseReference } from '#lib/protocol/fhir/references.ts';
import type { Reference } from '#lib/protocol/fhir/types.ts';
import { shareRow } from '../store/find-row.ts';
import type { Access } from './default-access.ts';

/**
 * Every policy that the access names is a live AccessPolicy of the project, and stays until the transaction ends. Throws 400 with one
 * issue each; the same text for what is missing and for what another project has.
 */
export async function requirePolicies(tx: Queryable, projectId: string, access: Access): Promise<void> {
  const named: [string, Reference | undefined][] = [
    ...(access.accessPolicy ? [['accessPolicy', access.accessPolicy] as [string, Reference]] : []),
    ...(access.access ?? []).map((item, index): [string, Reference] => [`access[${index}].policy`, item.policy]),
  ];
  const issues: Issue[] = [];
  for (const [expression, reference] of named) {
    const problem = await findProblem(tx, projectId, reference?.reference ?? '');
    if (problem) issues.push({ text: problem, expression });
  }
  if (issues.length > 0) throw new AppError('invalid', issues[0]!.text, { issues });
}

async function findProblem(tx: Queryable, projectId: string, reference: string): Promise<string | undefined> {
  const parsed = parseReference(reference);
  if (parsed?.kind !== 'local' || parsed.type !== 'AccessPolicy' || parsed.version) {
    return `Access policy must be a reference like AccessPolicy/<id>, not ${reference.slice(0, 80)}`;
  }
  const row = await shareRow(tx, projectId, 'AccessPolicy', parsed.id);
  if (row && !row.deleted) return undefined;
  return `Access policy ${reference} does not exist or does not belong to this project`;
}
