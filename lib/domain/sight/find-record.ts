import { fhirBase } from '#lib/base/fhir-base.ts';
import { isFhirId, parseReference } from '#lib/protocol/fhir/references.ts';
import { isResourceType } from '#lib/protocol/fhir/type-ids.ts';
import type { Reference } from '#lib/protocol/fhir/types.ts';
import { findRow } from '../store/find-row.ts';
import { type Row, toResource } from '../store/row.ts';
import { type AsOf, versionsAsOf } from './as-of/versions-as-of.ts';

/** `now`: the record as it is, a deleted one, too. `context`: what a Binary belongs to, at that moment; null for what cannot be read. */
export type Found = AsOf & { now: Row | undefined; context: Row | null | undefined };

/** A record of the project by `Type/id`, at a moment or as it is. */
export async function findRecord(projectId: string, reference: string, at: Date | undefined): Promise<Found> {
  const [type = '', id = ''] = reference.split('/');
  if (!isResourceType(type)) return { id, state: 'absent', row: undefined, now: undefined, context: undefined };
  const now = await findRow(projectId, type, id);
  const then = at ? (await versionsAsOf(projectId, type, [id], at))[0]! : asItIs(id, now);
  const context =
    then.row && !then.row.deleted && type === 'Binary' ? await contextOf(projectId, then.row, at) : undefined;
  return { ...then, now, context };
}

function asItIs(id: string, row: Row | undefined): AsOf {
  return { id, state: !row ? 'absent' : row.deleted ? 'deleted' : 'present', row };
}

/** As `mayRead` in lib/domain/rest/binary/context.ts, of whoever asks. */
async function contextOf(projectId: string, row: Row, at: Date | undefined): Promise<Row | null | undefined> {
  const { securityContext } = toResource<{ securityContext?: Reference }>(row);
  if (securityContext === undefined) return undefined;
  const parsed = parseReference(securityContext.reference ?? '', fhirBase());
  if (parsed?.kind !== 'local' || !isResourceType(parsed.type) || parsed.type === 'Binary') return null;
  if (!isFhirId(parsed.id)) return null;
  const found = at
    ? (await versionsAsOf(projectId, parsed.type, [parsed.id], at))[0]?.row
    : await findRow(projectId, parsed.type, parsed.id);
  return found && !found.deleted ? found : null;
}
