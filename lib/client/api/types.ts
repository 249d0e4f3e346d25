import type { Bundle, FhirResource } from 'fhir/r4';
import type { ProjectMembership, Stored } from '#lib/protocol/fhir/types.ts';

/** A ProjectMembership as the API answers it (contract §3). */
export type Member = Stored<ProjectMembership>;

export type SearchSet<Resource> = Omit<Bundle<FhirResource>, 'entry'> & {
  entry?: { fullUrl?: string; resource: Resource }[];
};
