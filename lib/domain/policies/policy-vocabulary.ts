import { notFound } from '#lib/base/errors.ts';
import { isUuid } from '#lib/base/ids.ts';
import type { PolicyVocabulary } from '#lib/protocol/answers/access-policies.ts';
import { fieldIssues } from '#lib/protocol/fhir/identity/policy-fields.ts';
import { faultOfCriteria } from '#lib/protocol/fhir/identity/rules.ts';
import { searchParamsOf } from '#lib/protocol/fhir/index/search-params.ts';
import { structure } from '#lib/protocol/fhir/structures.ts';
import { resourceTypes } from '#lib/protocol/fhir/type-ids.ts';
import { type Ctx, requireProjectAdmin } from '../access/context.ts';
import { reach } from '../access/policy.ts';
import { knowParams } from '../store/own-params/know-params.ts';

/** What can be named in a rule, as the editor offers it: what a save would refuse is not among it. */
export async function policyVocabulary(ctx: Ctx, projectId: string, type?: string): Promise<PolicyVocabulary> {
  const actor = requireProjectAdmin(ctx, projectId);
  if (!isUuid(projectId)) throw notFound();
  reach(actor, 'AccessPolicy', 'read');
  const types = [...resourceTypes()].toSorted();
  if (type === undefined) return { types, parameters: [], fields: [] };
  await knowParams(projectId);
  const codes = ['_id', '_lastUpdated', '_tag', '_profile', '_security', '_source', '_compartment'];
  const all = new Set([...codes, ...searchParamsOf(type, projectId).map(({ code }) => code)]);
  return {
    types,
    parameters: [...all].filter((code) => !faultOfCriteria(`${type}?${code}=%it`, type, projectId)).toSorted(),
    fields: [...(structure(type)?.elements.keys() ?? [])].filter((field) => isKept(type, field)).toSorted(),
  };
}

function isKept(resourceType: string, field: string): boolean {
  return fieldIssues({ resourceType, readonly: true, hiddenFields: [field] }, '').length === 0;
}
