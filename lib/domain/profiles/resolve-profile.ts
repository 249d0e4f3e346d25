import { AppError } from '#lib/base/errors.ts';
import { gathering } from '#lib/base/gathering.ts';
import type { Queryable } from '#lib/infra/db/client.ts';
import { parseReference } from '#lib/protocol/fhir/references.ts';
import { parseSearch } from '#lib/protocol/fhir/search/parse-search.ts';
import type { Reference, Resource } from '#lib/protocol/fhir/types.ts';
import type { InviteRequest } from '#lib/protocol/requests/invite-member.ts';
import type { Write } from '../access/context.ts';
import { createRow } from '../store/create-row.ts';
import { shareRow } from '../store/find-row.ts';
import { type Row, toResource } from '../store/row.ts';
import { searchRows } from '../store/search-rows.ts';
import { areWithin } from '../store/within-reach.ts';
import { displayName } from './display-name.ts';

export type Profile = { reference: Reference /** Of a RelatedPerson. */; patient?: Reference };

const PERSONS = new Set(['Patient', 'Practitioner', 'RelatedPerson']);

/**
 * The existing profile of an invite: the one that `membership.profile` names, else the one of the type with this e-mail. Undefined when
 * one has to be made. Throws 400 for one that is not the project's or of another type, 412 when two have the e-mail.
 */
export async function findProfile(
  tx: Queryable,
  projectId: string,
  request: InviteRequest,
): Promise<Profile | undefined> {
  const named = request.membership?.profile?.reference;
  if (named !== undefined) {
    return requireProfile(tx, projectId, named, { type: request.resourceType, expression: 'membership.profile' });
  }
  return request.email ? findByEmail(tx, projectId, request.resourceType, request.email) : undefined;
}

/** A live profile of the project, kept as it is until the transaction ends. `type` limits it to one resource type. */
export async function requireProfile(
  tx: Queryable,
  projectId: string,
  reference: string,
  { type, expression }: { type?: string; expression: string },
): Promise<Profile> {
  const parsed = parseReference(reference);
  if (parsed?.kind !== 'local' || parsed.version || !PERSONS.has(parsed.type)) {
    const text = 'Profile must be a reference to a Patient, Practitioner or RelatedPerson';
    throw new AppError('invalid', text, { expression });
  }
  if (type && parsed.type !== type) {
    throw new AppError('invalid', `Profile is a ${parsed.type}, not a ${type}`, { expression });
  }
  const row = await shareRow(tx, projectId, parsed.type, parsed.id);
  if (row && !row.deleted) return toProfile(row);
  const text = `Profile ${reference} does not exist or does not belong to this project`;
  throw new AppError('invalid', text, { expression });
}

type Wanted = { projectId: string; type: string; email: string };

async function findByEmail(
  tx: Queryable,
  projectId: string,
  type: string,
  email: string,
): Promise<Profile | undefined> {
  const wanted = { projectId, type, email };
  const found = await searchTogether(tx, wanted);
  const rows = found.get(toKey(wanted)) ?? (await search(tx, [wanted])).rows;
  const { filter } = toQuery([wanted]);
  const fitting = await areWithin(filter, rows, tx);
  const [first, second] = rows.filter((_, at) => fitting[at]);
  if (second) {
    throw new AppError(
      'multiple-matches',
      `Several resources of type ${type} have this e-mail address; name one in membership.profile`,
      {
        expression: 'email',
      },
    );
  }
  const row = first && (await shareRow(tx, projectId, type, first.id));
  return row && !row.deleted ? toProfile(row) : undefined;
}

/**
 * What is looked for in one transaction at the same moment is one search: each reads the rows that have not come into the index yet. Not there is
 * what found too many to know all.
 */
const searchTogether = gathering(async (tx: Queryable, all: Wanted[]): Promise<Map<string, Row[]>> => {
  const found = new Map<string, Row[]>();
  for (const [key, same] of Map.groupBy(all, toKey)) {
    const { rows, next } = await search(tx, same);
    if (next === undefined || same.length === 1) found.set(key, rows);
  }
  return found;
});

function search(tx: Queryable, same: readonly Wanted[]) {
  return searchRows(same[0]!.projectId, toQuery(same), { op: 'all' }, tx);
}

function toKey({ projectId, type }: Wanted): string {
  return `${projectId}/${type}`;
}

/** Two of each tell whether one is the only one. */
function toQuery(same: readonly Wanted[]) {
  const { projectId, type } = same[0]!;
  const values = same.map(({ email }) => email.replace(/[\\,$|]/g, '\\$&'));
  return parseSearch(
    type,
    [
      ['email', values.join(',')],
      ['_count', String(2 * same.length)],
    ],
    projectId,
  );
}

/** A new profile with the invite's name and address, audited. Throws 400 for a RelatedPerson whose patient is not the project's. */
export async function createProfile(
  w: Write,
  projectId: string,
  request: InviteRequest,
  author: string | undefined,
): Promise<Profile> {
  const { resourceType, firstName, lastName, email } = request;
  const patient = resourceType === 'RelatedPerson' ? await requirePatient(w.tx, projectId, request) : undefined;
  const resource: Resource = {
    resourceType,
    name: [{ given: [firstName], family: lastName }],
    ...(email && { telecom: [{ system: 'email', use: 'work', value: email }] }),
    ...(patient && { patient }),
  };
  const row = await createRow(w, projectId, resource, { author });
  w.audit({ projectId, action: 'resource.create', target: `${resourceType}/${row.id}` });
  return toProfile(row);
}

async function requirePatient(tx: Queryable, projectId: string, { patient }: InviteRequest): Promise<Reference> {
  const expression = 'patient';
  if (!patient) throw new AppError('invalid', 'A new RelatedPerson needs a patient', { expression });
  const parsed = parseReference(patient.reference);
  const isPatient = parsed?.kind === 'local' && parsed.type === 'Patient' && !parsed.version;
  const row = isPatient ? await shareRow(tx, projectId, 'Patient', parsed.id) : undefined;
  if (!row || row.deleted) {
    throw new AppError('invalid', 'The patient does not exist or does not belong to this project', { expression });
  }
  const display = displayName(toResource(row));
  return { reference: `Patient/${row.id}`, ...(display && { display }) };
}

function toProfile(row: Row): Profile {
  const resource = toResource(row);
  const display = displayName(resource);
  return {
    reference: { reference: `${row.type}/${row.id}`, ...(display && { display }) },
    ...(row.type === 'RelatedPerson' && { patient: resource.patient as Reference }),
  };
}
