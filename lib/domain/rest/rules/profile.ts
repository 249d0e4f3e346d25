import { isDeepStrictEqual } from 'node:util';
import type { ContactPoint } from 'fhir/r4';
import type { Resource } from '#lib/protocol/fhir/types.ts';
import type { Write } from '../../access/context.ts';
import { followName } from '../../memberships/follow-name.ts';
import { requireUnmanagedRecord } from '../../memberships/require-unmanaged.ts';
import { assertProfileUnused } from '../../profiles/assert-profile-unused.ts';
import { type Row, toResource } from '../../store/row.ts';
import type { TypeRule } from '../type-rule.ts';

/** Patient, Practitioner, RelatedPerson: who somebody signs in as has one name everywhere, and is not deleted under them. */
export const profileRule: TypeRule = {
  updated,
  beforeDelete: (w, { projectId, type, id }) => assertProfileUnused(w.tx, projectId, `${type}/${id}`),
};

async function updated(w: Write, row: Row, before: Row): Promise<void> {
  if (!before.deleted && !isDeepStrictEqual(managedOf(before), managedOf(row))) {
    const record = { projectId: row.projectId, profile: `${row.type}/${row.id}` };
    await requireUnmanagedRecord(w.tx, w.actor, record, 'The name and e-mail address of this member');
  }
  await followName(w, row, before);
}

/** What a directory says of a person. */
function managedOf(row: Row): unknown {
  const { name, telecom } = toResource<Resource>(row);
  return [name, (telecom as ContactPoint[] | undefined)?.filter(({ system }) => system === 'email')];
}
