import { SERVER_SCOPE } from '#lib/base/ids.ts';
import type { Queryable } from '#lib/infra/db/client.ts';
import { projectsOf } from '../directory/projects-of.ts';

/**
 * Where a person ("User/id") may have logins, in one order for all who lock them: their projects, and the server's scope, where sign-ins
 * wait for their membership. Of a program, which is of one project, only that scope.
 */
export async function projectsOfUser(q: Queryable, userRef: string): Promise<string[]> {
  return [SERVER_SCOPE, ...(await projectsOf(userRef.slice('User/'.length), q))].sort();
}
