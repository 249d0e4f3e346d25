import { type EntryDates, toEntryDates } from '#lib/protocol/fhir/identity/membership-dates.ts';
import type { AccessEntry, ProjectMembership } from '#lib/protocol/fhir/types.ts';

export type Entry = { policy: string; parameter: NonNullable<AccessEntry['parameter']>; time?: EntryDates };

/** The policies that it names, in their order. */
export function policyEntries(membership: ProjectMembership): Entry[] {
  const whole = membership.accessPolicy?.reference;
  const listed = membership.access ?? [];
  return [
    // A reference that says nothing is still a limit: it names no policy, so it grants nothing.
    ...(membership.accessPolicy ? [{ policy: whole ?? '', parameter: [] }] : []),
    ...listed.map((item) => ({
      policy: item.policy?.reference ?? '',
      parameter: item.parameter ?? [],
      time: item.period && toEntryDates(item),
    })),
  ];
}

/** Of the variables of an entry, by name without `%`. */
export type Values = ReadonlyMap<string, string[]>;

/** `%name` to its values. The same name several times means any of them. */
export function valuesOf(entry: Pick<Entry, 'parameter'>, membership: Pick<ProjectMembership, 'profile'>): Values {
  const values = new Map<string, string[]>();
  for (const { name, valueString, valueReference } of entry.parameter) {
    const value = valueString ?? valueReference?.reference;
    if (name && value !== undefined) values.set(name, [...(values.get(name) ?? []), value]);
  }
  const profile = membership.profile?.reference;
  if (profile) {
    values.set('profile', [profile]);
    if (profile.startsWith('Patient/') && !values.has('patient')) values.set('patient', [profile]);
  }
  return values;
}
