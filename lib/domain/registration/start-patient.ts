import type { Patient } from 'fhir/r4';
import { env } from '#lib/base/env.ts';
import { AppError } from '#lib/base/errors.ts';
import { newId } from '#lib/base/ids.ts';
import type { LoginResult } from '#lib/protocol/answers/login.ts';
import type { Project, Resource } from '#lib/protocol/fhir/types.ts';
import type { NewPatientRequest } from '#lib/protocol/requests/auth.ts';
import type { Ctx, Write } from '../access/context.ts';
import { type FoundUser, findUser } from '../accounts/find-user.ts';
import { write } from '../audit/write.ts';
import { defaultAccess } from '../memberships/default-access.ts';
import { insertMembership } from '../memberships/insert-membership.ts';
import { requirePolicies } from '../memberships/require-policies.ts';
import { shareProject } from '../memberships/share-project.ts';
import { attachMembership } from '../sign-in/choose-profile.ts';
import { closed, hasMembership, isOpen, requireOpenProject } from '../sign-in/open-project.ts';
import { notOpen, requireOpenLogin } from '../sign-in/require-open-login.ts';
import { createRow } from '../store/create-row.ts';

/**
 * The second step of a patient's registration (contract §1.5): their record and membership in the project where they registered, with its
 * default access for patients, and the code of the waiting login, all or nothing. Throws 400 for a login that does not wait for this, a project
 * that is closed meanwhile or whose default policy is gone, and, under VERIFY_EMAIL, an address that is not proven yet.
 */
export async function startPatient(ctx: Ctx, input: NewPatientRequest): Promise<LoginResult> {
  const row = await requireOpenLogin(input.login);
  const projectId = input.projectId.toLowerCase();
  const userId = row.userRef.slice('User/'.length);
  if (row.limitedTo !== projectId) throw notOpen('This login is not for this project');
  await requireOpenProject(projectId);
  const user = await findUser(userId, projectId);
  if (user?.scope !== projectId || !user.email) throw notOpen('Only who has registered in this project does this');
  if (env().VERIFY_EMAIL && user.emailVerified !== true)
    throw new AppError('invalid', 'Confirm your e-mail address first', { expression: 'email' });
  return write(ctx, async (w, inside) => {
    const project = await shareProject(w.tx, projectId);
    if (!isOpen(project)) throw closed();
    if (await hasMembership(w.tx, userId, projectId)) throw notOpen('You are a member of this project already');
    const membershipId = await insertPatient(w, project, { ...user, scope: projectId });
    return attachMembership(inside, row, { projectId, membershipId });
  });
}

/** An address that nobody has proven is not told to the record: an invitation to it would find that, and join its owner to it. */
async function insertPatient(w: Write, project: Project, user: FoundUser): Promise<string> {
  const { scope: projectId, id, firstName, lastName, email } = user;
  const access = defaultAccess(project, { profileType: 'Patient', admin: false });
  await requirePolicies(w.tx, projectId, access);
  const patientId = newId();
  const profile = `Patient/${patientId}`;
  const patient: Patient = {
    resourceType: 'Patient',
    name: [{ given: [firstName], family: lastName }],
    ...(user.emailVerified === true && { telecom: [{ system: 'email', value: email }] }),
  };
  await createRow(w, projectId, patient as Resource, { author: profile, id: patientId });
  w.audit({ projectId, action: 'resource.create', target: profile });
  const membership = {
    user: { reference: `User/${id}`, display: email },
    profile: { reference: profile, display: `${firstName} ${lastName}` },
    ...access,
  };
  const options = { author: profile, ownProfile: true };
  return (await insertMembership(w, projectId, membership, options)).id;
}
