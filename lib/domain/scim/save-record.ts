import { isDeepStrictEqual } from 'node:util';
import type { ContactPoint, HumanName } from 'fhir/r4';
import type { Resource } from '#lib/protocol/fhir/types.ts';
import type { Contact, ScimUser, WantedUser } from '#lib/protocol/scim/user.ts';
import type { Actor, Write } from '../access/context.ts';
import { followName } from '../memberships/follow-name.ts';
import { requireUnmanagedRecord } from '../memberships/require-unmanaged.ts';
import { displayName } from '../profiles/display-name.ts';
import { lockRow } from '../store/find-row.ts';
import { requireValid } from '../store/require-valid.ts';
import { toResource } from '../store/row.ts';
import { updateRow } from '../store/update-row.ts';

type Saving = { actor: Actor; projectId: string; reference: string; before: ScimUser; wanted: WantedUser };

/** Name and ways of contact as they are wanted, on the record that a membership stands on. What the record says besides stays. A record that is gone is not made anew. True when it was changed. */
export async function saveRecord(w: Write, { actor, projectId, reference, before, wanted }: Saving): Promise<boolean> {
  const [type = '', id = ''] = reference.split('/');
  const row = await lockRow(w.tx, projectId, type, id);
  if (!row || row.deleted) return false;
  const resource = toResource<Resource>(row);
  const next = { ...resource, ...changedName(resource, before, wanted), ...changedTelecom(resource, before, wanted) };
  requireValid(next, type);
  const saved = await updateRow(w, row, next, actor.profile);
  if (saved.version === row.version) return false;
  await requireUnmanagedRecord(
    w.tx,
    actor,
    { projectId, profile: reference },
    'The name and e-mail address of this member',
  );
  w.audit({
    projectId,
    action: 'resource.update',
    target: reference,
    before: { version: row.version },
    after: { version: saved.version },
  });
  await followName(w, saved, row);
  return true;
}

function changedName(resource: Resource, before: ScimUser, wanted: WantedUser): { name?: HumanName[] } {
  if (isDeepStrictEqual([before.name, before.displayName], [wanted.name, wanted.displayName])) return {};
  const [first, ...others] = (resource.name as HumanName[] | undefined) ?? [];
  const { text: _, given, family, prefix, suffix, ...rest } = first ?? {};
  const { name = before.name } = wanted;
  const parts: HumanName = {
    ...rest,
    ...listed('given', [name?.givenName ?? given?.[0], name?.middleName]),
    ...((name?.familyName ?? family) !== undefined && { family: name?.familyName ?? family }),
    ...listed('prefix', [name?.honorificPrefix]),
    ...listed('suffix', [name?.honorificSuffix]),
  };
  const text = textOf(first?.text, before, wanted);
  const isPlain = text === undefined || text === displayName({ resourceType: '', name: [parts] });
  return { name: [isPlain ? parts : { ...parts, text }, ...others] };
}

function listed(key: 'given' | 'prefix' | 'suffix', values: (string | undefined)[]): HumanName {
  const there = values.filter((value) => value !== undefined);
  return there.length > 0 ? { [key]: there } : {};
}

/** A name as a whole stands only where somebody said one: what is told of its parts follows them. */
function textOf(stored: string | undefined, before: ScimUser, { name, displayName: display }: WantedUser) {
  if (display !== before.displayName) return display;
  if (name?.formatted !== undefined && name.formatted !== before.name?.formatted) return name.formatted;
  return stored;
}

function changedTelecom(resource: Resource, before: ScimUser, wanted: WantedUser): { telecom?: ContactPoint[] } {
  const telecom = (resource.telecom as ContactPoint[] | undefined) ?? [];
  const emails = changed(telecom, 'email', before.emails, wanted.emails);
  const phones = changed(emails, 'phone', before.phoneNumbers, wanted.phoneNumbers);
  if (phones === telecom) return {};
  return { telecom: phones.length > 0 ? phones : undefined };
}

function changed(
  telecom: ContactPoint[],
  system: 'email' | 'phone',
  before: Contact[] = [],
  wanted: Contact[] = [],
): ContactPoint[] {
  const next = primaryFirst(wanted);
  if (isDeepStrictEqual(told(before), told(next))) return telecom;
  const isOurs = (point: ContactPoint) => point.system === system && point.use !== 'old';
  const points = next.map(({ value, type }): ContactPoint => {
    const known = telecom.find((point) => isOurs(point) && point.value === value);
    const { use: _, ...rest } = known ?? { system, value };
    const use = toUse(type);
    return use ? { ...rest, use } : rest;
  });
  return [...points, ...telecom.filter((point) => !isOurs(point))];
}

function told(contacts: Contact[]): unknown {
  return contacts.map(({ value, type }) => [value, toUse(type)]);
}

/** Of several that are said to be, the last: a patch adds behind what is there (RFC 7644 §3.5.2). */
export function primaryFirst(contacts: Contact[]): Contact[] {
  const primary = contacts.findLast((contact) => contact.primary === true);
  return primary ? [primary, ...contacts.filter((contact) => contact !== primary)] : contacts;
}

function toUse(type: string | null | undefined): 'home' | 'work' | 'mobile' | 'temp' | undefined {
  return type === 'home' || type === 'work' || type === 'mobile' || type === 'temp' ? type : undefined;
}
