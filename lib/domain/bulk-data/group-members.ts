import { AppError, notFound } from '#lib/base/errors.ts';
import { fhirBase } from '#lib/base/fhir-base.ts';
import { isFhirId, parseReference } from '#lib/protocol/fhir/references.ts';
import type { Actor } from '../access/context.ts';
import { locate } from '../rest/locate.ts';
import { findRow, requireLive } from '../store/find-row.ts';
import { type Row, toResource } from '../store/row.ts';
import { requireWithin } from '../store/within-reach.ts';

const MOST_GROUPS = 100;
const MOST_MEMBERS = 10_000;

type Group = {
  actual?: boolean;
  member?: { entity?: { reference?: string }; inactive?: boolean; period?: { end?: string } }[];
};

/**
 * The ids of the patients who are in a Group just now, and in those that are its members, as far as the caller may read these. Throws as a read does:
 * 403, 404 and 410; 400 for a Group that names nobody, and for too many.
 */
export async function groupMembers(actor: Actor, id: string): Promise<string[]> {
  const first = await readGroup(actor, id);
  const patients = new Set<string>();
  const groups = new Set([id]);
  const waiting: Row[] = [first];
  for (let row = waiting.pop(); row; row = waiting.pop()) {
    const { actual, member = [] } = toResource<Group>(row);
    if (actual === false && row === first) throw bad('The Group describes who could be in it, and names nobody');
    for (const { entity, inactive, period } of member) {
      const hasLeft = inactive === true || (period?.end !== undefined && Date.parse(period.end) < Date.now());
      const named = parseReference(entity?.reference ?? '', fhirBase());
      if (hasLeft || named?.kind !== 'local') continue;
      if (named.type === 'Patient') patients.add(named.id);
      if (named.type !== 'Group' || groups.has(named.id)) continue;
      groups.add(named.id);
      if (groups.size > MOST_GROUPS) throw bad(`More than ${MOST_GROUPS} Groups stand in one another`);
      const inner = await readGroup(actor, named.id).catch(hidden);
      if (inner) waiting.push(inner);
    }
    if (patients.size > MOST_MEMBERS) throw bad(`More than ${MOST_MEMBERS} patients are members`);
  }
  return [...patients].sort();
}

async function readGroup(actor: Actor, id: string): Promise<Row> {
  const { projectId, reach } = await locate(actor, 'Group', id, 'read');
  if (!isFhirId(id)) throw notFound();
  return requireLive(await requireWithin(await findRow(projectId, 'Group', id), reach));
}

function hidden(error: unknown): undefined {
  if (error instanceof AppError) return undefined;
  throw error;
}

function bad(text: string): AppError {
  return new AppError('too-costly', text, { expression: 'Group.member' });
}
