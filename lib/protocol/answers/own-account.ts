import type { OwnAccessRequest } from '../access-requests/answers.ts';
import type { OwnGrant } from '../break-glass/answers.ts';
import type { OwnDevice } from '../devices/answers.ts';
import type { ProjectMembership, Resource, User } from '../fhir/types.ts';
import type { OwnView } from '../view-as/view-as.ts';
import type { OwnConsent } from './authorization.ts';
import type { OwnSession } from './me.ts';
import type { OwnMemberships } from './own-memberships.ts';

/** GET /auth/account: what is kept of a person, for the person. */
export type OwnAccountCopy = {
  exportedAt: string;
  account: User;
  /** Of the project that they are signed in to; what others know of them is exported there. */
  membership: ProjectMembership;
  profile: Resource | undefined;
  memberships: OwnMemberships['memberships'];
  sessions: OwnSession[];
  devices: OwnDevice[];
  passkeys: unknown[];
  keys: unknown[];
  /** In the project that they are signed in to. */
  accessRequests: OwnAccessRequest[];
  /** By whom they were looked with their eyes there. */
  views: OwnView[];
  emergencyAccess: OwnGrant[];
  consents: OwnConsent[];
  /** What they have done about themselves, as the log has it, newest first. */
  log: { at: string; action: string; target: string; outcome: 'success' | 'failure'; remoteAddress: string | null }[];
};
