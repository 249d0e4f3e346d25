import { eq } from 'drizzle-orm';
import { AppError } from '#lib/base/errors.ts';
import { SERVER_SCOPE } from '#lib/base/ids.ts';
import { uniqueViolation } from '#lib/infra/db/errors.ts';
import { credential, userLogin } from '#lib/infra/db/schema/identity.ts';
import type { User } from '#lib/protocol/fhir/types.ts';
import type { Write } from '../access/context.ts';
import { noteProject } from '../directory/note-project.ts';
import { supersedeLinks } from '../links/supersede-links.ts';
import { endLogins } from '../sessions/end-logins.ts';
import { createRow } from '../store/create-row.ts';
import { deleteRow } from '../store/delete-row.ts';
import { lockRow } from '../store/find-row.ts';
import { type Row, toResource } from '../store/row.ts';
import { updateRow } from '../store/update-row.ts';
import { dropPasskeys } from '../webauthn/end-passkeys.ts';

/**
 * Files a locked User under another scope, with its id. A project's administrators may set the password of its own Users, so one that
 * leaves a project leaves behind whatever they may know: the password, the passkeys, the sessions, the links that were handed over and the word that
 * the address is proven. Throws 409 when the address is taken there.
 */
export async function moveUser(w: Write, current: Row, scope: string, author: string | undefined): Promise<Row> {
  const { id } = current;
  const { project: _, ...user } = toResource<User>(current);
  const leavesProject = current.projectId !== SERVER_SCOPE;
  if (leavesProject) await forgetSecrets(w, id);
  try {
    await w.tx.update(userLogin).set({ scope }).where(eq(userLogin.userId, id));
  } catch (cause) {
    if (uniqueViolation(cause) === undefined) throw cause;
    throw new AppError('conflict', 'This e-mail address is taken there', { expression: 'scope', cause });
  }
  await deleteRow(w, current, author);
  const moved: User = {
    ...user,
    ...(leavesProject && user.email ? { emailVerified: false } : {}),
    ...(scope === SERVER_SCOPE ? {} : { project: { reference: `Project/${scope}` } }),
  };
  // It may have been there before.
  const grave = await lockRow(w.tx, scope, 'User', id);
  if (scope !== SERVER_SCOPE) await noteProject(w.tx, scope, [id]);
  const row = grave ? await updateRow(w, grave, moved, author) : await createRow(w, scope, moved, { author, id });
  w.stands({ userId: id });
  const change = { target: `User/${id}`, before: of(current.projectId), after: of(scope) };
  for (const projectId of [current.projectId, scope]) w.audit({ projectId, action: 'user.rescope', ...change });
  return row;
}

function of(scope: string): { scope: string } {
  return { scope: scope === SERVER_SCOPE ? 'global' : `Project/${scope}` };
}

async function forgetSecrets(w: Write, userId: string): Promise<void> {
  await w.tx.delete(credential).where(eq(credential.userId, userId));
  await dropPasskeys(w, userId);
  await supersedeLinks(w, { userId, handed: true });
  await endLogins(w, { user: `User/${userId}` });
}
