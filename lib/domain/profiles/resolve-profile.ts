import { AppError } from '#lib/base/errors.ts';
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

async function findByEmail(
  tx: Queryable,
  projectId: string,
  type: string,
  email: string,
): Promise<Profile | undefined> {
  const value = email.replace(/[\\,$|]/g, '\\$&');
  const query = parseSearch(
    type,
    [
      ['email', value],
      ['_count', '2'],
    ],
    projectId,
  );
  const { rows } = await searchRows(projectId, query, { op: 'all' }, tx);
  if (rows.length > 1) {
    throw new AppError(
      'multiple-matches',
      `Several resources of type ${type} have this e-mail address; name one in membership.profile`,
      {
        expression: 'email',
      },
    );
  }
  const row = rows[0] && (await shareRow(tx, projectId, type, rows[0].id));
  return row && !row.deleted ? toProfile(row) : undefined;
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
