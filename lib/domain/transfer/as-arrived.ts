import type { ClientApplication } from '#lib/protocol/fhir/client-types.ts';
import type { Project, ProjectMembership, Resource, User } from '#lib/protocol/fhir/types.ts';
import { standingBy } from '../store/feeds/standing-by.ts';

type Arrived = Resource & { id: string };

/**
 * The resource as it is here, where something of it cannot be as it was: nobody is let in by what a file says. `renamed`: people by
 * their ids there, where these are somebody else's here. Undefined where all of it holds.
 */
export function asArrived(resource: Arrived, renamed: ReadonlyMap<string, string>): Arrived | undefined {
  const change = CHANGES[resource.resourceType];
  const changed = change?.(resource as never, renamed);
  return changed && ({ ...changed } as Arrived);
}

type Change = (resource: never, renamed: ReadonlyMap<string, string>) => object | undefined;

const CHANGES: Record<string, Change> = {
  /** Its owner had an account above projects, there. Whose it is here, a super-admin says. */
  Project: ({ owner, ...project }: Project) => owner && project,
  /** Nobody has shown this server that the address is theirs, and it has none of their second factors. */
  User: (user: User) => {
    const { mfaEnrolled, mfaMethod, ...rest } = user;
    if (!user.emailVerified && mfaEnrolled === undefined && mfaMethod === undefined) return undefined;
    return { ...rest, ...(user.email && { emailVerified: false }) };
  },
  /** What needs none of our secrets to let somebody in waits until an administrator has looked at it. */
  ClientApplication: (client: ClientApplication) => {
    const isOn = (client.status ?? 'active') === 'active';
    return isOn && (client.jwksUri || client.identityProvider) ? { ...client, status: 'off' } : undefined;
  },
  /** It would tell of everything from here on, to an address that the other server tells, too. */
  Subscription: standingBy,
  ProjectMembership: (membership: ProjectMembership, renamed) => {
    const id = renamed.get(membership.user.reference?.slice('User/'.length) ?? '');
    return id === undefined ? undefined : { ...membership, user: { ...membership.user, reference: `User/${id}` } };
  },
};
