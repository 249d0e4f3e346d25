import { sql } from 'drizzle-orm';
import { AppError } from '#lib/base/errors.ts';
import { isUuid } from '#lib/base/ids.ts';
import { db, type Queryable } from '#lib/infra/db/client.ts';
import type { Project } from '#lib/protocol/fhir/types.ts';
import { isOpenToPatients } from '#lib/protocol/registration.ts';
import { findUser } from '../accounts/find-user.ts';
import { defaultAccess } from '../memberships/default-access.ts';
import { findRow } from '../store/find-row.ts';
import { toResource } from '../store/row.ts';

/** Throws 400 naming `projectId`, the same for a project that is closed to registration, is not active, or is none. */
export async function requireOpenProject(projectId: string): Promise<void> {
  const row = isUuid(projectId)
    ? await findRow(projectId.toLowerCase(), 'Project', projectId.toLowerCase())
    : undefined;
  if (!row || row.deleted || !isOpen(toResource<Project>(row))) throw closed();
}

/** With the access that whoever registers gets: a project without one for patients would open everything to them. */
export function isOpen(project: Project): boolean {
  const access = defaultAccess(project, { profileType: 'Patient', admin: false });
  return project.active !== false && isOpenToPatients(project) && access.accessPolicy !== undefined;
}

export function closed(): AppError {
  return new AppError('invalid', 'This project is not open to registration; ask for an invite', {
    expression: 'projectId',
  });
}

/** Whether somebody has registered in a project that is open, and is no member there yet: their sign-in waits for that. */
export async function isRegistering(userId: string, given: string): Promise<boolean> {
  if (!isUuid(given)) return false;
  const projectId = given.toLowerCase();
  const user = await findUser(userId, projectId);
  if (user?.scope !== projectId || (await hasMembership(db(), userId, projectId))) return false;
  return requireOpenProject(projectId).then(
    () => true,
    () => false,
  );
}

/** Of any kind, one that was closed too. */
export async function hasMembership(q: Queryable, userId: string, projectId: string): Promise<boolean> {
  const found = await q.execute(
    sql`select from membership_key where project_id = ${projectId} and user_ref = ${`User/${userId}`} limit 1`,
  );
  return found.length > 0;
}
