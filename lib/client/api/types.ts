import type { Bundle, FhirResource, HumanName, Identifier, Reference } from 'fhir/r4';

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

/** GET /auth/me (contract §1.5). */
export type Me = {
  project: { resourceType: 'Project'; id: string; name?: string; strictMode?: boolean; superAdmin?: boolean };
  membership: { resourceType: 'ProjectMembership'; id: string; user: Reference; profile: Reference; admin?: boolean };
  profile: { resourceType: string; id: string; name?: HumanName[] | string };
  /** Of a person only. */
  security?: {
    sessions: {
      id: string;
      lastUpdated: string;
      authMethod: string;
      remoteAddress: string | null;
      browser?: string;
      os?: string;
      current: boolean;
    }[];
  };
};

export type SearchSet<Resource> = Omit<Bundle<FhirResource>, 'entry'> & {
  entry?: { fullUrl?: string; resource: Resource }[];
};
