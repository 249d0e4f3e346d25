import { AppError } from '#lib/base/errors.ts';
import type { FoundPatients } from '#lib/protocol/answers/authorization.ts';
import type { PatientFilter } from '#lib/protocol/launch/requests.ts';
import { type Ctx, requireActor } from '../access/context.ts';
import { searchPatients } from './search-patients.ts';

/** About whom the caller may open an app: the patients whom they may find and read themselves. Throws 403 for who is no person. */
export function findLaunchPatients(ctx: Ctx, filter: PatientFilter): Promise<FoundPatients> {
  const actor = requireActor(ctx);
  if (!actor.user.startsWith('User/'))
    throw new AppError('forbidden', 'An app is opened for a person, who signs in there');
  return searchPatients(ctx, actor, filter);
}
