import type { Practitioner } from 'fhir/r4';
import { AppError } from '#lib/base/errors.ts';
import { newId, SERVER_SCOPE } from '#lib/base/ids.ts';
import type { Project, Resource } from '#lib/protocol/fhir/types.ts';
import type { Ctx, Write } from '../access/context.ts';
import { write } from '../audit/write.ts';
import { defaultAccess } from '../memberships/default-access.ts';
import { insertMembership } from '../memberships/insert-membership.ts';
import { type ProvisionOptions, provisionClient } from '../memberships/provision-client.ts';
import { createRow } from '../store/create-row.ts';
import { shareRow } from '../store/find-row.ts';
import { type Row, toResource } from '../store/row.ts';
import { insertProject } from './insert-project.ts';

export type RegisterProjectInput = {
  /** A server-scoped User. */
  userId: string;
  firstName: string;
  lastName: string;
  email: string;
  projectName: string;
  /** The caller's profile, when somebody else makes it for them. */
  author?: string;
  /** The owner cannot enter before their address is proven (schema: membership_key.awaits_proof). */
  awaitsProof?: boolean;
};

export type RegisteredProject = { row: Row; projectId: string; membershipId: string };

/**
 * A project of one's own, all or nothing: the Project with its default policies, the person's Practitioner profile and admin
 * membership (the owner's), and a default client, whose secret nobody knows until an administrator rotates it.
 */
export async function registerProject(ctx: Ctx, input: RegisterProjectInput): Promise<RegisteredProject> {
  const { userId, email, projectName } = input;
  return write(ctx, async (w) => {
    await requireAccount(w, userId);
    const projectId = newId();
    const owner = { reference: `User/${userId}`, display: email };
    const profileId = newId();
    const profile = `Practitioner/${profileId}`;
    const { author = profile, awaitsProof } = input;
    const row = await insertProject(
      w,
      { resourceType: 'Project', name: projectName, owner, strictMode: true },
      { author, id: projectId },
    );
    await insertProfile(w, projectId, profileId, author, input);
    const membership = await insertMembership(
      w,
      projectId,
      {
        user: owner,
        profile: { reference: profile, display: `${input.firstName} ${input.lastName}` },
        admin: true,
        ...defaultAccess(toResource<Project>(row), { profileType: 'Practitioner', admin: true }),
      },
      { author, awaitsProof, ownProfile: true },
    );
    await insertDefaultClient(w, projectId, projectName, { author, invitedBy: owner });
    return { row, projectId, membershipId: membership.id };
  });
}

/** It ends at no other place meanwhile. */
async function requireAccount(w: Write, userId: string): Promise<void> {
  const user = await shareRow(w.tx, SERVER_SCOPE, 'User', userId);
  if (!user || user.deleted) throw new AppError('conflict', 'This account is not there any more');
}

/** What the project's own programs may sign in as, once an administrator has rotated its secret. */
export async function insertDefaultClient(
  w: Write,
  projectId: string,
  projectName: string,
  options: Pick<ProvisionOptions, 'author' | 'invitedBy'>,
): Promise<void> {
  const client = { resourceType: 'ClientApplication', name: `${projectName} Default Client` } as const;
  await provisionClient(w, projectId, client, options);
}

async function insertProfile(
  w: Write,
  projectId: string,
  id: string,
  author: string,
  input: RegisterProjectInput,
): Promise<void> {
  const profile: Practitioner = {
    resourceType: 'Practitioner',
    name: [{ given: [input.firstName], family: input.lastName }],
    telecom: [{ system: 'email', use: 'work', value: input.email }],
  };
  await createRow(w, projectId, profile as Resource, { author, id });
  w.audit({ projectId, action: 'resource.create', target: `Practitioner/${id}` });
}
