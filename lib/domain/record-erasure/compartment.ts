import { type SQL, sql } from 'drizzle-orm';
import { fhirBase } from '#lib/base/fhir-base.ts';
import { compartmentTypes } from '#lib/protocol/fhir/index/compartments.ts';
import { walk } from '#lib/protocol/fhir/index/path-compile.ts';
import { tokensReferringTo } from '#lib/protocol/fhir/index/reference-tokens.ts';
import { type SearchParam, searchParam, searchParamsOf } from '#lib/protocol/fhir/index/search-params.ts';
import { parseReference } from '#lib/protocol/fhir/references.ts';
import { typeId } from '#lib/protocol/fhir/type-ids.ts';
import type { Resource } from '#lib/protocol/fhir/types.ts';
import { isNamedOften } from '../store/planner/is-named-often.ts';

/** The types of a patient's record, by their numbers. The audit log is not of it: it stays. */
export function recordTypes(): string[] {
  return compartmentTypes('Patient')
    .filter((type) => type !== 'AuditEvent')
    .sort((a, b) => typeId(a) - typeId(b));
}

/** Whose record, and of which type. */
export type OfType = { projectId: string; patientId: string; type: string };

/** Which rows `r` of a type are of the patient's record as it stands. */
export function isOfRecord(of: OfType): SQL {
  const param = searchParam(of.type, '_compartment');
  return sql`${isLive(of)} and r.tokens && ${tokensOf(of, param ? [param] : [])}::bigint[]`;
}

/** Which rows `r` of a type refer to the patient, by whatever parameter, and are not of the record. Undefined for types that cannot. */
export function isReferring(of: OfType): SQL | undefined {
  const own = searchParam(of.type, '_compartment');
  const params = searchParamsOf(of.type).filter(
    ({ type, supported, targets, code }) =>
      type === 'reference' &&
      supported &&
      code !== '_compartment' &&
      (targets.length === 0 || targets.includes('Patient')),
  );
  if (params.length === 0) return undefined;
  const outside = own ? sql`and not r.tokens && ${tokensOf(of, [own])}::bigint[]` : sql``;
  return sql`${isLive(of)} and r.tokens && ${tokensOf(of, params)}::bigint[] ${outside}`;
}

function isLive({ projectId, type }: OfType): SQL {
  const inProject = isNamedOften(sql`r.project_id`, projectId);
  return sql`${inProject} and ${sql.raw(`r.type_id = ${typeId(type)}`)} and not r.deleted`;
}

function tokensOf({ projectId, patientId: id }: OfType, params: readonly SearchParam[]): string {
  const tokens = params.flatMap((param) => tokensReferringTo(param, projectId, { type: 'Patient', id }, fhirBase()));
  return `{${[...new Set(tokens)].join(',')}}`;
}

/** The patients in whose compartments a resource is, by their ids. */
export function patientsOf(resource: Resource): Set<string> {
  const { resourceType, id } = resource;
  const found = new Set<string>(resourceType === 'Patient' && id !== undefined ? [id] : []);
  for (const branch of searchParam(resourceType, '_compartment')?.path ?? [])
    walk(resource, branch, (value) => {
      const text = typeof value === 'string' ? value : (value as { reference?: unknown } | null)?.reference;
      const parsed = typeof text === 'string' ? parseReference(text, fhirBase()) : undefined;
      if (parsed?.kind === 'local' && parsed.type === 'Patient') found.add(parsed.id);
    });
  return found;
}
