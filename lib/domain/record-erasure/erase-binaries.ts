import { sql } from 'drizzle-orm';
import { fhirBase } from '#lib/base/fhir-base.ts';
import { toTextArray } from '#lib/infra/db/text-array.ts';
import { parseReference } from '#lib/protocol/fhir/references.ts';
import { typeId } from '#lib/protocol/fhir/type-ids.ts';
import type { Reference } from '#lib/protocol/fhir/types.ts';
import type { Write } from '../access/context.ts';
import { dropBytes } from '../bytes/drop-bytes.ts';
import { forgetRefusals } from '../refusals/refusal-rows.ts';
import { eraseRows } from '../store/delete-row.ts';
import { findRow, lockRows } from '../store/find-row.ts';
import { isErased, type Row, toResource } from '../store/row.ts';
import { findRows, type Whose } from './find-record.ts';

/**
 * Binaries that versions of the record named, or that say that they are the patient's (`securityContext`), and that nothing else names: neither what
 * stands, nor any version of it. With their bytes.
 */
export async function eraseBinaries(
  w: Write,
  whose: Whose,
  named: readonly string[],
): Promise<{ rows: number; versions: number }> {
  const { projectId, patientId } = whose;
  const ids = [...new Set([...named.map((id) => id.toLowerCase()), ...(await findTheirs(w, whose))])];
  const found = ids.length > 0 ? await findRows(w.tx, projectId, 'Binary', ids) : [];
  const theirs: string[] = [];
  for (const row of found) if (!isErased(row) && (await isOfRecord(w, row, patientId))) theirs.push(row.id);
  const used = theirs.length > 0 ? await findUsed(w, projectId, theirs) : new Set();
  const unused = theirs.filter((id) => !used.has(id));
  if (unused.length === 0) return { rows: 0, versions: 0 };
  await lockRows(w.tx, projectId, 'Binary', unused);
  await dropBytes(w, projectId, unused);
  await forgetRefusals(w.tx, projectId, 'Binary', unused);
  return eraseRows(w, { projectId, type: 'Binary' }, unused);
}

async function findTheirs(w: Write, { projectId, patientId }: Whose): Promise<string[]> {
  const name = `Patient/${patientId}`;
  const rows = await w.tx.execute<{ id: string }>(sql`
    select r.id from resource r where r.project_id = ${projectId}::uuid and r.type_id = ${typeId('Binary')} and not r.deleted
      and r.content -> 'securityContext' ->> 'reference' = any(${toTextArray([name, `${fhirBase()}/${name}`])}::text[])`);
  return rows.map(({ id }) => id);
}

/** Not what is said to be somebody else's. */
async function isOfRecord(w: Write, row: Row, patientId: string): Promise<boolean> {
  if (row.deleted) return true;
  const { securityContext } = toResource<{ securityContext?: Reference }>(row);
  const parsed = securityContext?.reference ? parseReference(securityContext.reference, fhirBase()) : undefined;
  if (parsed?.kind !== 'local' || (parsed.type === 'Patient' && parsed.id === patientId)) return true;
  const context = await findRow(row.projectId, parsed.type, parsed.id, w.tx);
  return context !== undefined && isErased(context);
}

async function findUsed(w: Write, projectId: string, ids: readonly string[]): Promise<Set<unknown>> {
  const rows = await w.tx.execute<{ id: string }>(sql`
    select distinct lower(m.found[1]) as id from resource_history h, regexp_matches(h.content, 'Binary/([0-9a-fA-F-]{36})', 'g') as m (found)
    where h.project_id = ${projectId}::uuid and h.type_id <> ${typeId('Binary')} and h.content like '%Binary/%'
      and lower(m.found[1]) = any(${toTextArray(ids)}::text[])`);
  return new Set(rows.map(({ id }) => id));
}
