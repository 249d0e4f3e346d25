import { type EntryDates, isInTime } from '#lib/protocol/fhir/identity/membership-dates.ts';
import { compartmentsOf } from '#lib/protocol/fhir/identity/policy-compartment.ts';
import type { AccessPolicy, ProjectMembership } from '#lib/protocol/fhir/types.ts';
import { policyEntries, type Values, valuesOf } from './entries.ts';

/** `Type/id` of the compartments that what is written gets as accounts. Outside of its `time` it is not there. */
export type Into = { references: string[]; time?: EntryDates };

type Source = { membership: ProjectMembership; policies: ReadonlyMap<string, AccessPolicy>; at?: number };

/** What the policies of a membership say of where its writes belong, in their order. */
export function intoOf({ membership, policies, at }: Source): Into[] {
  return policyEntries(membership).flatMap((entry): Into[] => {
    if (at !== undefined && entry.time && !isInTime(entry.time, at)) return [];
    const references = compartmentOf(policies.get(entry.policy), valuesOf(entry, membership));
    if (!references?.length) return [];
    return [{ references, ...(at === undefined && entry.time && { time: entry.time }) }];
  });
}

/** None for a policy that says nothing of it; undefined for one that says what has no value: what it grants would be written elsewhere than it wants. */
export function compartmentOf(policy: AccessPolicy | undefined, values: Values): string[] | undefined {
  return policy?.compartment ? compartmentsOf(policy.compartment.reference ?? '', values) : [];
}

/** At this moment: the last entry that says something decides (contract §4.1). */
export function writesInto({ into = [] }: { into?: readonly Into[] }): readonly string[] {
  return into.findLast(({ time }) => !time || isInTime(time))?.references ?? [];
}
