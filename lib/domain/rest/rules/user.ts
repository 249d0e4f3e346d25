import { AppError } from '#lib/base/errors.ts';
import { SERVER_SCOPE } from '#lib/base/ids.ts';
import type { Actor } from '../../access/context.ts';
import { reach } from '../../access/policy.ts';
import type { Interaction } from '../../access/rule.ts';
import { findRow } from '../../store/find-row.ts';
import type { Located, ResourceChange, TypeRule } from '../type-rule.ts';
import { requirePlainName } from './require-plain-name.ts';

const NAMES = ['firstName', 'lastName'] as const;

/** An account belongs to its person: an admin reads those of the project, and only the person changes the name on it. */
export const userRule: TypeRule = {
  closed: {
    create: 'Users are made by POST /admin/projects/{id}/invite or /auth/newuser',
    delete: 'Users leave a project by DELETE /admin/projects/{id}/members/{membershipId}',
  },
  locate: locateUser,
  prepare: onlyNames,
};

async function locateUser(actor: Actor, id: string, interaction: Interaction): Promise<Located> {
  if (actor.user === `User/${id}` && !actor.caller && !actor.policy.scope) {
    const global = await findRow(SERVER_SCOPE, 'User', id);
    // It may have been global once.
    const projectId = global && !global.deleted ? SERVER_SCOPE : actor.projectId;
    return { projectId, reach: { op: 'all' } };
  }
  if (interaction === 'update') throw new AppError('forbidden', 'Only the person can change their User');
  return { projectId: actor.projectId, reach: reach(actor, 'User', interaction) };
}

function onlyNames({ before, after }: ResourceChange) {
  for (const name of NAMES) {
    if (after[name] !== before?.[name]) requirePlainName(`User.${name}`, after[name]);
  }
  return { ...before, ...Object.fromEntries(NAMES.map((name) => [name, after[name]])), resourceType: 'User' };
}
