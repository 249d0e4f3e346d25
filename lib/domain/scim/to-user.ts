import { createHash } from 'node:crypto';
import type { ContactPoint, HumanName } from 'fhir/r4';
import { env } from '#lib/base/env.ts';
import type { ProjectMembership } from '#lib/protocol/fhir/types.ts';
import { USER_SCHEMA } from '#lib/protocol/scim/urns.ts';
import type { Contact, ScimUser, WantedUser } from '#lib/protocol/scim/user.ts';
import type { Actor } from '../access/context.ts';
import { displayName } from '../profiles/display-name.ts';
import type { Person } from './people.ts';

/**
 * A member as a directory sees them: the id is that of the membership, name and addresses those of the record it stands on. Of their groups
 * it sees its own; who calls otherwise sees all.
 */
export function toUser(person: Person, by?: Pick<Actor, 'scim'>): ScimUser {
  const groups = groupsOf(person, by);
  const { id, content, profile_ref: reference, record } = person;
  const display = record ? displayName({ resourceType: '', ...record }) : content.profile.display;
  const [name] = (record?.name as HumanName[] | undefined) ?? [];
  const address = addressOf(content);
  const emails = record ? contactsOf(record.telecom, 'email') : address ? [{ value: address, primary: true }] : [];
  const phoneNumbers = record ? contactsOf(record.telecom, 'phone') : [];
  return {
    schemas: [USER_SCHEMA],
    id,
    ...(content.externalId !== undefined && { externalId: content.externalId }),
    userName: userNameOf(content, id),
    name: toName(name, display),
    ...(display !== undefined && { displayName: display }),
    userType: reference.split('/')[0]!,
    active: content.active !== false,
    ...(emails.length > 0 && { emails }),
    ...(phoneNumbers.length > 0 && { phoneNumbers }),
    ...(groups.length > 0 && { groups }),
    meta: {
      resourceType: 'User',
      ...createdAt(id),
      lastModified: lastModified(person),
      location: `${env().BASE_URL}/scim/v2/Users/${id}`,
      version: `W/"${versionOf(person, by)}"`,
    },
  };
}

/** The name that a directory gave; of who was invited by hand, their address or, without one, their externalId. */
export function userNameOf(membership: ProjectMembership, id: string): string {
  return membership.userName ?? addressOf(membership) ?? membership.externalId ?? id;
}

/** With which they sign in (membership.user.display says it, where there is one). */
function addressOf({ user }: ProjectMembership): string | undefined {
  return user.display?.includes('@') ? user.display : undefined;
}

/** Of all that a User is made of: the membership, the record, and the groups that are told. */
export function versionOf(person: Person, by?: Pick<Actor, 'scim'>): string {
  const groups = groupsOf(person, by);
  const told = createHash('sha256').update(JSON.stringify(groups)).digest('hex').slice(0, 8);
  return `${person.version}.${person.record_version ?? 0}${groups.length > 0 ? `.${told}` : ''}`;
}

function groupsOf({ groups }: Person, by: Pick<Actor, 'scim'> | undefined): NonNullable<ScimUser['groups']> {
  return groups
    .filter(({ connection }) => !by?.scim || connection === by.scim.connectionId)
    .map(({ id, name }) => ({
      value: id,
      $ref: `${env().BASE_URL}/scim/v2/Groups/${id}`,
      display: name,
      type: 'direct',
    }));
}

function lastModified({ last_updated: own, record_updated: record }: Person): string {
  return new Date(Math.max(Date.parse(own), record === null ? 0 : Date.parse(record))).toISOString();
}

/** An id tells when it was made (RFC 9562 §5.7), where it is of that kind. */
function createdAt(id: string): { created?: string } {
  return id[14] === '7'
    ? { created: new Date(Number.parseInt(id.replace('-', '').slice(0, 12), 16)).toISOString() }
    : {};
}

function toName(name: HumanName | undefined, formatted: string | undefined): NonNullable<WantedUser['name']> {
  const [given, ...middle] = name?.given ?? [];
  const parts = {
    formatted,
    familyName: name?.family,
    givenName: given,
    middleName: middle.join(' ') || undefined,
    honorificPrefix: name?.prefix?.join(' ') || undefined,
    honorificSuffix: name?.suffix?.join(' ') || undefined,
  };
  return Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== undefined)) as typeof parts;
}

/** What is no longer so is not told. The first is the one that counts. */
function contactsOf(telecom: unknown, system: 'email' | 'phone'): Contact[] {
  if (!Array.isArray(telecom)) return [];
  return (telecom as ContactPoint[])
    .filter((point) => point.system === system && point.value && point.use !== 'old')
    .map(({ value = '', use }, index) => ({ value, type: use ?? 'other', ...(index === 0 && { primary: true }) }));
}
