import { AppError, type Issue } from '#lib/base/errors.ts';
import type { Queryable } from '#lib/infra/db/client.ts';
import { parseReference } from '#lib/protocol/fhir/references.ts';
import type { AccessEntry, AccessPolicy, Project } from '#lib/protocol/fhir/types.ts';
import { namesPolicy, requiresPolicy } from '#lib/protocol/policies/policy-required.ts';
import { requireLight } from '../access/access-weight.ts';
import { DEEPEST, missingOf } from '../access/lineage.ts';
import { policiesOf } from '../access/policies-of.ts';
import { findRow } from '../store/find-row.ts';
import { findPolicies } from '../store/policies/find-policies.ts';
import { toResource } from '../store/row.ts';
import type { Access } from './default-access.ts';

/**
 * Every policy that the access names is a live AccessPolicy of the project, and stays until the transaction ends; and all of it is light enough
 * (`shareLight`). Throws 400 with one issue each; the same text for what is missing and for what another project has.
 */
export async function requirePolicies(
  tx: Queryable,
  projectId: string,
  access: Access,
  before?: Access,
): Promise<void> {
  const found = await shareLight(tx, projectId, access, before);
  const issues = named(access).flatMap(([expression, reference = '']): Issue[] => {
    if (!isPolicy(reference)) {
      const text = `Access policy must be a reference like AccessPolicy/<id>, not ${reference.slice(0, 80)}`;
      return [{ text, expression }];
    }
    if (found.has(reference)) return [];
    return [{ text: `Access policy ${reference} does not exist or does not belong to this project`, expression }];
  });
  if (issues.length > 0) throw new AppError('invalid', issues[0]!.text, { issues });
}

/**
 * Those of its policies that are there, kept until the transaction ends. Throws 400 where they come to more than a member may have (access-weight.ts),
 * unless the access only takes away from `before`.
 */
export async function shareLight(
  tx: Queryable,
  projectId: string,
  access: Access,
  before?: Access,
): Promise<ReadonlySet<string>> {
  // One alone was weighed when it was written.
  const isWeighed = (access.access?.length ?? 0) > 0 && !(before && isLess(access, before));
  const policies = new Map<string, AccessPolicy>();
  const found = new Set<string>();
  const asked = new Set<string>();
  let wanted = policiesOf(access).filter(isPolicy);
  for (let level = 0; wanted.length > 0 && level < DEEPEST; level++) {
    for (const name of wanted) asked.add(name);
    for await (const rows of findPolicies(projectId, wanted, { q: tx, stays: true })) {
      for (const { id, content } of rows) {
        found.add(`AccessPolicy/${id}`);
        if (isWeighed) policies.set(`AccessPolicy/${id}`, content);
      }
      if (isWeighed) requireLight(access, policies);
    }
    // What they are based on nobody deletes meanwhile: that is refused.
    wanted = missingOf(policies.values(), asked);
  }
  return found;
}

/**
 * Where the project wants every membership to name a policy, this one does (contract §4.1). Throws 400. `project`: where it is at hand.
 */
export async function requireSomePolicy(
  tx: Queryable,
  projectId: string,
  access: Access,
  project?: Project,
): Promise<void> {
  if (namesPolicy(access)) return;
  const row = project ? undefined : await findRow(projectId, 'Project', projectId, tx);
  const settings = project ?? (row && !row.deleted ? toResource<Project>(row) : {});
  if (requiresPolicy(settings)) throw policyRequired();
}

/** 400 for a membership that would have no policy. */
export function policyRequired(): AppError {
  const text = 'This project requires a policy: name one in accessPolicy or access';
  return new AppError('invalid', text, { issues: [{ text, code: 'required', expression: 'accessPolicy' }] });
}

function named({ accessPolicy, access = [] }: Access): [expression: string, reference: string | undefined][] {
  return [
    ...(accessPolicy ? [['accessPolicy', accessPolicy.reference] as [string, string | undefined]] : []),
    ...access.map(({ policy }, index): [string, string | undefined] => [`access[${index}].policy`, policy?.reference]),
  ];
}

function isPolicy(reference: string): boolean {
  const parsed = parseReference(reference);
  return parsed?.kind === 'local' && parsed.type === 'AccessPolicy' && !parsed.version;
}

/** Whether it has nothing that the other has not: that is let be, however much is left. */
function isLess({ accessPolicy, access = [] }: Access, before: Access): boolean {
  const had = new Set((before.access ?? []).map(toText));
  const isKept = !accessPolicy || accessPolicy.reference === before.accessPolicy?.reference;
  return isKept && access.length <= had.size && access.every((entry) => had.has(toText(entry)));
}

function toText(entry: AccessEntry): string {
  return JSON.stringify(entry);
}
