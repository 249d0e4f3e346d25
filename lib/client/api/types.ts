import type { Bundle, FhirResource, Identifier, Reference } from 'fhir/r4';

/** ProjectMembership as the console reads it (contract §3). */
export type ProjectMembership = {
  resourceType: 'ProjectMembership';
  id: string;
  meta?: { versionId?: string; lastUpdated?: string; author?: Reference };
  project: Reference;
  user: Reference;
  profile: Reference;
  invitedBy?: Reference;
  active?: boolean;
  admin?: boolean;
  accessPolicy?: Reference;
  access?: AccessEntry[];
  userConfiguration?: Reference;
  identifier?: Identifier[];
  userName?: string;
  externalId?: string;
};

export type AccessEntry = {
  policy: Reference;
  parameter?: { name: string; valueString?: string; valueReference?: Reference }[];
};

export type SearchSet<Resource> = Omit<Bundle<FhirResource>, 'entry'> & {
  entry?: { fullUrl?: string; resource: Resource }[];
};
