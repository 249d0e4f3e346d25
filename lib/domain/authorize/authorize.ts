import { db } from '#lib/infra/db/client.ts';
import type { Ctx } from '../access/context.ts';
import { tellRefusal } from './answer-app.ts';
import { type AuthorizeRequest, readRequest, readTarget, refused, withoutEmpty } from './authorize-request.ts';
import { hasConsent } from './consents.ts';
import { findPerson } from './find-person.ts';
import { issueCode, mayIssue } from './issue-code.ts';
import { requireKnownLaunch, wantsPatient } from './launch-of.ts';
import { isPushed, keepPushed, takePushed } from './pushed-requests.ts';
import { toSignIn, toSignInAgain } from './to-sign-in.ts';

/**
 * RFC 6749 §4.1.1: where the browser goes next. To the app, with a code or a refusal; to our sign-in page, which comes back with the same
 * request; or to where the person is asked. `ctx.actor`: who the browser's session says. Throws 400 when it cannot be the app that asks.
 */
export async function authorize(ctx: Ctx, given: URLSearchParams): Promise<string> {
  const pushed = isPushed(given) ? await takePushed(db(), given) : undefined;
  const params = pushed?.params ?? withoutEmpty(given);
  const target = await readTarget(params);
  const carried = async (next: URLSearchParams) => (pushed ? keepPushed(pushed, next) : next);
  const toPage = async () => `/consent?${await carried(params)}`;
  return tellRefusal(target, async () => {
    const request = readRequest(params, target, pushed?.needsProof);
    const { prompt } = request;
    const person = prompt.has('login') ? undefined : await findPerson(ctx.actor, request);
    if (!person)
      return orRefused(request, 'login_required', 'Nobody is signed in', () => toSignIn(params, request, carried));
    await requireKnownLaunch(request, person.userId);
    const { chosen, choices } = person;
    if (!chosen || (prompt.has('select_account') && choices.length > 1))
      return orRefused(request, 'interaction_required', 'It is not known for which membership', toPage);
    if (!(await mayIssue(db(), person, chosen)))
      return orRefused(request, 'login_required', 'A second factor is asked for', () =>
        toSignInAgain(params, request, chosen, carried),
      );
    const isGiven = !prompt.has('consent') && (await hasConsent(request, person.userId));
    if (!isGiven) return orRefused(request, 'consent_required', 'The person has not agreed yet', toPage);
    if (wantsPatient(request, chosen))
      return orRefused(request, 'interaction_required', 'A patient must be chosen', toPage);
    return issueCode(ctx, request, { person, choice: chosen });
  });
}

function orRefused(
  { prompt }: AuthorizeRequest,
  name: 'login_required' | 'interaction_required' | 'consent_required',
  text: string,
  next: () => Promise<string>,
): Promise<string> | string {
  if (prompt.has('none')) throw refused(name, text);
  return next();
}
