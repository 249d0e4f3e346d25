import { type EntryDates, isInTime } from '#lib/protocol/fhir/identity/membership-dates.ts';
import { compartmentsOf } from '#lib/protocol/fhir/identity/policy-compartment.ts';
import type { ProjectMembership } from '#lib/protocol/fhir/types.ts';
import { policyEntries, type Values, valuesOf } from './entries.ts';
import { type Ancestor, lineageOf, type Policies } from './lineage.ts';

/** `Type/id` of the compartments that what is written gets as accounts. Outside of its `time` it is not there. */
export type Into = { references: string[]; time?: EntryDates };

type Source = { membership: ProjectMembership; policies: Policies; at?: number };

/** What the policies of a membership say of where its writes belong, in their order. */
export function intoOf({ membership, policies, at }: Source): Into[] {
  return policyEntries(membership).flatMap((entry): Into[] => {
    if (at !== undefined && entry.time && !isInTime(entry.time, at)) return [];
    const references = compartmentOf(lineageOf(entry.policy, policies) ?? [], valuesOf(entry, membership));
    if (!references?.length) return [];
    return [{ references, ...(at === undefined && entry.time && { time: entry.time }) }];
  });
}

/**
 * What a policy says of it, else the first that it is based on. None where none does; undefined where what is said has no value: what is granted would be
 * written elsewhere than is wanted.
 */
export function compartmentOf(lineage: readonly Ancestor[], values: Values): string[] | undefined {
  const { compartment } = lineage.find(({ policy }) => policy.compartment)?.policy ?? {};
  return compartment ? compartmentsOf(compartment.reference ?? '', values) : [];
}

/** At this moment: the last entry that says something decides (contract §4.1). */
export function writesInto({ into = [] }: { into?: readonly Into[] }): readonly string[] {
  return into.findLast(({ time }) => !time || isInTime(time))?.references ?? [];
}
