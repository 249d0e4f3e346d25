import type { OwnGlass } from '../break-glass/answers.ts';
import type { AccessPolicy, Project, Reference, Resource, Stored } from '../fhir/types.ts';

/** One's own sign-in that may still be used. */
export type OwnSession = {
  id: string;
  /** When it was last used: an instant. */
  lastUpdated: string;
  authMethod: string;
  /** When the person showed who they are: an instant. */
  startedAt: string;
  remoteAddress: string | null;
  browser?: string;
  os?: string;
  /** The browser that it began in (GET /auth/devices). */
  device?: string;
  /** The one that asks. */
  current: boolean;
};

/** GET /auth/me (contract §1.5): what the caller is, and may do. */
export type Me = {
  /** Of its settings what the console says everywhere: that each membership needs a policy. */
  project: Pick<
    Stored<Project>,
    'resourceType' | 'id' | 'name' | 'description' | 'strictMode' | 'superAdmin' | 'features' | 'setting'
  >;
  membership: { resourceType: 'ProjectMembership'; id: string; user: Reference; profile: Reference; admin: boolean };
  /** Not there when it was deleted; to an app whose scopes do not reach it only its type and id. */
  profile?: Resource;
  config: { resourceType: 'UserConfiguration' };
  accessPolicy: AccessPolicy;
  /** It limits them to a part of the project, or who acts for them. */
  limited?: true;
  /** An administrator looks with this member’s eyes: who, and until when (an instant). */
  view?: { by: { reference: string; display: string | null }; endsAt: string };
  /** Of a person only, and not for an app that was given records only. */
  security?: { mfaEnrolled: boolean; sessions: OwnSession[] };
  /** Of a person who may break the glass, or has; at their own session alone. */
  breakGlass?: OwnGlass;
};
