import { AppError } from '#lib/base/errors.ts';
import { db, type Queryable } from '#lib/infra/db/client.ts';
import type { LaunchContext } from '#lib/protocol/launch/context.ts';
import type { Actor } from '../access/context.ts';
import { findLaunch, type LaunchOf, takeLaunch } from '../launches/app-launches.ts';
import { findWithin } from '../launches/find-within.ts';
import { loadActor } from '../sessions/load-actor.ts';
import type { Choice } from '../sign-in/find-memberships.ts';
import { type AuthorizeRequest, refused } from './authorize-request.ts';

/** Whether this member chooses a patient before the app gets its code: who is one themselves is the one. */
export function wantsPatient({ asksForPatient }: AuthorizeRequest, { profile }: Choice): boolean {
  return asksForPatient && !profile?.reference?.startsWith('Patient/');
}

/** Throws `invalid_request` when the app brings a launch that is not for it and this person, or no longer; it stays. */
export async function requireKnownLaunch(
  request: AuthorizeRequest,
  userId: string,
): Promise<LaunchContext | undefined> {
  if (request.launch === undefined) return undefined;
  const of = ofApp(request, userId);
  return (of && (await findLaunch(db(), request.launch, of))) ?? unknown();
}

/** The same, spent. */
export async function takeLaunchOf(q: Queryable, request: AuthorizeRequest, userId: string): Promise<LaunchContext> {
  const of = ofApp(request, userId);
  return (of && request.launch !== undefined && (await takeLaunch(q, request.launch, of))) || unknown();
}

/** A program that is built in is no project's, and nobody opens it about a patient. */
function ofApp({ app: { client } }: AuthorizeRequest, userId: string): LaunchOf | undefined {
  return client && { projectId: client.projectId, clientId: client.id, userRef: `User/${userId}` };
}

function unknown(): never {
  throw refused('invalid_request', 'This launch has been used, has expired, or is another app’s or person’s');
}

/** What the person has chosen. Throws 400 naming `patient` for none, for one whom they may not read, and where none is asked for. */
export async function chosenPatient(
  request: AuthorizeRequest,
  choice: Choice,
  patient: string | undefined,
): Promise<LaunchContext | undefined> {
  const wrong = (text: string) => new AppError('invalid', text, { expression: 'patient' });
  if (!wantsPatient(request, choice)) {
    if (patient !== undefined) throw wrong('This app asks for no patient');
    return undefined;
  }
  if (patient === undefined) throw wrong('Choose the patient');
  if (!(await findWithin(await actorOf(choice), 'Patient', patient)))
    throw wrong('This is no patient that you may read');
  return { by: 'person', patient, needPatientBanner: true };
}

/** A member with all that they may, whatever the app will be able to do of it. */
export async function actorOf({ projectId, id: membershipId }: Choice): Promise<Actor> {
  return (await loadActor({ projectId, membershipId, scope: 'openid' })).value;
}
