import { AppError } from '#lib/base/errors.ts';
import { type Actor, callerOf } from '../access/context.ts';
import { loginStands } from '../sessions/login-stands.ts';

/** Whose session has ended in the middle gets no more: the file breaks off. */
export async function requireStanding(actor: Actor): Promise<void> {
  const { loginId, projectId } = callerOf(actor);
  if (loginId && !(await loginStands({ projectId, id: loginId })))
    throw new AppError('unauthorized', 'The session has ended');
}
