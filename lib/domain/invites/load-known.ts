import { sql } from 'drizzle-orm';
import { SERVER_SCOPE } from '#lib/base/ids.ts';
import type { Queryable } from '#lib/infra/db/client.ts';
import { toTextArray } from '#lib/infra/db/text-array.ts';
import { parseReference } from '#lib/protocol/fhir/references.ts';
import { parseSearch } from '#lib/protocol/fhir/search/parse-search.ts';
import { typeId } from '#lib/protocol/fhir/type-ids.ts';
import type { Project } from '#lib/protocol/fhir/types.ts';
import { type InviteRequest, toTemplate } from '#lib/protocol/requests/invite-member.ts';
import { policiesOf } from '../access/policies-of.ts';
import { findActiveMembers } from '../profiles/find-active-members.ts';
import { findRow, requireLive } from '../store/find-row.ts';
import { toResource } from '../store/row.ts';
import { searchRows } from '../store/search-rows.ts';

/** What a project knows of the people in a list of invites. */
export type Known = {
  /** `server <e-mail>` or `<project> <e-mail>` to the id of a User whom the project knows: its own, or a member. Of all others nothing is told. */
  users: Map<string, string>;
  /** E-mail to memberships, in either scope. */
  members: Map<string, string[]>;
  externalIds: Map<string, string[]>;
  /** `<type> <e-mail>` to references. */
  profiles: Map<string, string[]>;
  /** Profiles to the active memberships that stand on them. */
  standing: Map<string, { id: string; user: string }[]>;
  /** Every policy, profile and patient that the invites name and the project has. */
  resources: Set<string>;
  project: Project;
};

const CHUNK = 500;

/** In a few queries, however long the list. */
export async function loadKnown(tx: Queryable, projectId: string, requests: InviteRequest[]): Promise<Known> {
  const emails = [...new Set(requests.flatMap(({ email }) => email ?? []))];
  const ids = [...new Set(requests.flatMap((request) => toTemplate(request).externalId ?? []))];
  const profiles = await findProfiles(tx, projectId, requests);
  const named = requests.flatMap(({ membership }) => membership?.profile?.reference ?? []);
  return {
    ...(await findUsers(tx, projectId, emails)),
    externalIds: await findExternalIds(tx, projectId, ids),
    profiles,
    standing: await findStanding(tx, projectId, [...new Set([...profiles.values()].flat().concat(named))]),
    resources: await findNamed(tx, projectId, requests),
    project: toResource<Project>(requireLive(await findRow(projectId, 'Project', projectId, tx))),
  };
}

async function findUsers(
  tx: Queryable,
  projectId: string,
  emails: string[],
): Promise<Pick<Known, 'users' | 'members'>> {
  const rows = await tx.execute<{ scope: string; email_lower: string; user_id: string }>(sql`
    select u.scope, u.email_lower, u.user_id from user_login u
    where u.scope in (${SERVER_SCOPE}, ${projectId}) and u.email_lower = any(${toTextArray(emails)}::text[])`);
  const byUser = await findMembers(
    tx,
    projectId,
    rows.map(({ user_id }) => `User/${user_id}`),
  );
  const users = new Map<string, string>();
  const members = new Map<string, string[]>();
  for (const { scope, email_lower: email, user_id } of rows) {
    const own = byUser.get(`User/${user_id}`) ?? [];
    if (own.length > 0 || scope === projectId)
      users.set(`${scope === SERVER_SCOPE ? 'server' : scope} ${email}`, user_id);
    for (const id of own) add(members, email, id);
  }
  return { users, members };
}

async function findMembers(tx: Queryable, projectId: string, users: string[]): Promise<Map<string, string[]>> {
  const rows = await tx.execute<{ user_ref: string; membership_id: string }>(sql`
    select user_ref, membership_id from membership_key
    where project_id = ${projectId} and user_ref = any(${toTextArray(users)}::text[])`);
  const found = new Map<string, string[]>();
  for (const { user_ref, membership_id } of rows) add(found, user_ref, membership_id);
  return found;
}

async function findExternalIds(tx: Queryable, projectId: string, ids: string[]): Promise<Map<string, string[]>> {
  const rows = await tx.execute<{ external_id: string; membership_id: string }>(sql`
    select external_id, membership_id from membership_key
    where project_id = ${projectId} and external_id = any(${toTextArray(ids)}::text[])`);
  const found = new Map<string, string[]>();
  for (const { external_id, membership_id } of rows) add(found, external_id, membership_id);
  return found;
}

async function findProfiles(
  tx: Queryable,
  projectId: string,
  requests: InviteRequest[],
): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>();
  for (const type of ['Patient', 'Practitioner', 'RelatedPerson']) {
    const wanted = requests.flatMap(({ resourceType, email }) => (resourceType === type && email ? [email] : []));
    const emails = [...new Set(wanted)];
    for (let at = 0; at < emails.length; at += CHUNK) {
      await addProfiles(tx, projectId, type, emails.slice(at, at + CHUNK), found);
    }
  }
  return found;
}

async function addProfiles(
  tx: Queryable,
  projectId: string,
  type: string,
  emails: string[],
  found: Map<string, string[]>,
): Promise<void> {
  const values = emails.map((email) => email.replace(/[\\,$|]/g, '\\$&')).join(',');
  const query = parseSearch(type, [['email', values]], projectId);
  const { rows } = await searchRows(projectId, { ...query, count: emails.length * 4 }, { op: 'all' }, tx);
  const wanted = new Set(emails);
  for (const row of rows) {
    const { telecom = [] } = toResource<{ telecom?: { system?: string; value?: string }[] }>(row);
    const own = telecom.flatMap(({ system, value }) => (system === 'email' && value ? [value.toLowerCase()] : []));
    for (const email of new Set(own)) if (wanted.has(email)) add(found, `${type} ${email}`, `${type}/${row.id}`);
  }
}

async function findStanding(tx: Queryable, projectId: string, profiles: string[]): Promise<Known['standing']> {
  const found: Known['standing'] = new Map();
  for (let at = 0; at < profiles.length; at += CHUNK) {
    const members = await findActiveMembers(tx, projectId, profiles.slice(at, at + CHUNK));
    for (const { profile, id, user } of members) add(found, profile, { id, user });
  }
  return found;
}

async function findNamed(tx: Queryable, projectId: string, requests: InviteRequest[]): Promise<Set<string>> {
  const references = new Set(requests.flatMap(namedBy));
  const byType = new Map<string, string[]>();
  for (const reference of references) {
    const parsed = parseReference(reference);
    if (parsed?.kind === 'local' && !parsed.version) add(byType, parsed.type, parsed.id);
  }
  const found = new Set<string>();
  for (const [type, ids] of byType) {
    const rows = await tx.execute<{ id: string }>(sql`
      select id from resource where project_id = ${projectId} and type_id = ${typeId(type)} and id = any(${toTextArray(ids)}::text[]) and not deleted`);
    for (const { id } of rows) found.add(`${type}/${id}`);
  }
  return found;
}

function namedBy(request: InviteRequest): string[] {
  const records = [request.membership?.profile?.reference, request.patient?.reference];
  return [...policiesOf(toTemplate(request)), ...records.filter((reference) => reference !== undefined)];
}

function add<V>(map: Map<string, V[]>, key: string, value: V): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}
