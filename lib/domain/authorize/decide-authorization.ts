import { env } from '#lib/base/env.ts';
import { AppError } from '#lib/base/errors.ts';
import { db } from '#lib/infra/db/client.ts';
import type { Next } from '#lib/protocol/answers/authorization.ts';
import type { AuthorizationRequest } from '#lib/protocol/requests/authorization.ts';
import type { Ctx } from '../access/context.ts';
import { write } from '../audit/write.ts';
import { answerApp } from './answer-app.ts';
import { noteConsent } from './consents.ts';
import { readAsked } from './describe-authorization.ts';
import { issueCode, mayIssue } from './issue-code.ts';
import { chosenPatient } from './launch-of.ts';
import { isPushed, takePushed } from './pushed-requests.ts';
import { toSignInAgain } from './to-sign-in.ts';

/** The person's yes or no. Everything that the app asked for is judged again: the page had it from the address. */
export async function decideAuthorization(ctx: Ctx, input: AuthorizationRequest): Promise<Next> {
  const given = new URLSearchParams(input.request);
  const { request, person } = await readAsked(ctx, given);
  if (input.decision === 'deny') {
    if (isPushed(given)) await takePushed(db(), given);
    const answer = { error: 'access_denied', error_description: 'The person said no' };
    return { location: answerApp(request, answer) };
  }
  const choice = input.membership
    ? person.choices.find(({ id }) => id === input.membership?.toLowerCase())
    : person.chosen;
  if (!choice) throw new AppError('invalid', 'Choose one of your memberships', { expression: 'membership' });
  if (!(await mayIssue(db(), person, choice)))
    return { location: env().BASE_URL + (await toSignInAgain(given, request, choice, async (next) => next)) };
  const launch = await chosenPatient(request, choice, input.patient);
  const location = await write(ctx, async (w, inside) => {
    if (isPushed(given)) await takePushed(w.tx, given);
    await noteConsent(w, request, person.userId);
    return issueCode(inside, request, { person, choice, launch });
  });
  return { location };
}
