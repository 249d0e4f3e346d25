import { AppError } from '#lib/base/errors.ts';
import { db } from '#lib/infra/db/client.ts';
import type { FoundPatients } from '#lib/protocol/answers/authorization.ts';
import type { PatientsRequest } from '#lib/protocol/launch/requests.ts';
import type { Ctx } from '../access/context.ts';
import { searchPatients } from '../launches/search-patients.ts';
import { readAsked } from './describe-authorization.ts';
import { mayIssue } from './issue-code.ts';
import { actorOf, wantsPatient } from './launch-of.ts';

/**
 * About whom an app may be opened that asks for a patient: those whom the member may find, with which they let it in. Throws 400 as the question
 * itself does, naming `membership` for one that is not theirs or has not proven its second factor, or that chooses no patient.
 */
export async function findPatients(ctx: Ctx, input: PatientsRequest): Promise<FoundPatients> {
  const { request, person } = await readAsked(ctx, new URLSearchParams(input.request));
  const wrong = (text: string) => new AppError('invalid', text, { expression: 'membership' });
  const choice = input.membership
    ? person.choices.find(({ id }) => id === input.membership?.toLowerCase())
    : person.chosen;
  if (!choice) throw wrong('Choose one of your memberships');
  if (!wantsPatient(request, choice)) throw wrong('No patient is chosen with this membership');
  if (!(await mayIssue(db(), person, choice))) throw wrong('Prove your second factor first');
  return searchPatients(ctx, await actorOf(choice), input);
}
