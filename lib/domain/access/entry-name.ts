import type { AccessEntry } from '#lib/protocol/fhir/types.ts';

/** A name of an entry of `access`, the same for entries that mean the same. */
export function entryName({ policy, parameter = [], period }: AccessEntry): string {
  const values = parameter.map(({ name, valueString, valueReference }) => [
    name,
    valueString ?? null,
    valueReference?.reference ?? null,
  ]);
  const window = period ? [{ start: period.start ?? null, end: period.end ?? null }] : [];
  return JSON.stringify([policy?.reference, ...values, ...window]);
}

/**
 * The entry that gives nothing, of a directory: a membership without any policy reaches everything, so who loses the last one that a group
 * gave keeps this. Its policy has the id of the connection.
 */
export function floorOf(connectionId: string): AccessEntry {
  return { policy: { reference: `AccessPolicy/${connectionId}` } };
}
