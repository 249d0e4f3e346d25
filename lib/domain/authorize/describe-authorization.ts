import { AppError } from '#lib/base/errors.ts';
import type { Authorization } from '#lib/protocol/answers/authorization.ts';
import { type Ctx, requireActor } from '../access/context.ts';
import { findAddress } from '../accounts/find-address.ts';
import { findWithin } from '../launches/find-within.ts';
import { displayName } from '../profiles/display-name.ts';
import { toMemberships } from '../sign-in/find-memberships.ts';
import { type AuthorizeRequest, readRequest, readTarget, withoutEmpty } from './authorize-request.ts';
import { askedScopes, hasConsent, isRemembered } from './consents.ts';
import { findPerson, type Person } from './find-person.ts';
import { howLong } from './how-long.ts';
import { actorOf, requireKnownLaunch } from './launch-of.ts';
import { isPushed, readPushed } from './pushed-requests.ts';

/** What the person is asked. Throws 400 for a request that is not in order, and for who is not signed in as the app asks. */
export async function describeAuthorization(ctx: Ctx, params: URLSearchParams): Promise<Authorization> {
  const { request, person } = await readAsked(ctx, params);
  const { app, redirectUri } = request;
  const { name = 'An app without a name', description } = app.resource;
  return {
    app: { name, ...(description && { description }) },
    sendsTo: toPlace(redirectUri),
    scopes: askedScopes(request),
    lasts: await howLong({ app: app.resource, scopes: askedScopes(request) }, projectOf(person)),
    person: (await findAddress(person.userId)) ?? '',
    memberships: toMemberships(person.choices),
    ...(person.chosen && { membership: person.chosen.id }),
    remembers: isRemembered(request),
    ...((await isAgreed(request, person)) && { agreed: true as const }),
    ...(request.asksForPatient && { choosesPatient: true as const }),
    ...(await openedAbout(request, person)),
  };
}

/** Undefined while they can still choose one of another project. */
function projectOf({ chosen, choices }: Person): string | undefined {
  const [first] = choices;
  return (
    chosen?.projectId ??
    (choices.every(({ projectId }) => projectId === first?.projectId) ? first?.projectId : undefined)
  );
}

async function isAgreed(request: AuthorizeRequest, { userId, chosen, choices }: Person): Promise<boolean> {
  const { prompt } = request;
  const asksAgain = prompt.has('consent') || (prompt.has('select_account') && choices.length > 1);
  return chosen !== undefined && !asksAgain && (await hasConsent(request, userId));
}

async function openedAbout(request: AuthorizeRequest, { userId, chosen }: Person) {
  const launch = await requireKnownLaunch(request, userId);
  if (!launch) return {};
  const patient = chosen && (await findWithin(await actorOf(chosen), 'Patient', launch.patient));
  return { openedAbout: (patient && displayName(patient)) ?? 'a patient' };
}

/** The request once more, as the browser has kept it, or its name, and who answers it. */
export async function readAsked(
  ctx: Ctx,
  given: URLSearchParams,
): Promise<{ request: AuthorizeRequest; person: Person }> {
  const pushed = isPushed(given) ? await readPushed(given) : undefined;
  const params = pushed?.params ?? withoutEmpty(given);
  const request = readRequest(params, await readTarget(params), pushed?.needsProof);
  const person = request.prompt.has('login') ? undefined : await findPerson(requireActor(ctx), request);
  if (!person) throw new AppError('invalid', 'Go back to the app and sign in again: it asks for a new sign-in');
  return { request, person };
}

function toPlace(redirectUri: string): string {
  const { origin, protocol } = new URL(redirectUri);
  return origin === 'null' ? protocol : origin;
}
