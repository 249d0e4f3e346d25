import { AppError } from '#lib/base/errors.ts';
import { fhirBase } from '#lib/base/fhir-base.ts';
import { appLaunch } from '#lib/infra/db/schema/grants.ts';
import type { StartedLaunch } from '#lib/protocol/answers/authorization.ts';
import type { LaunchRequest } from '#lib/protocol/launch/requests.ts';
import { type Ctx, requireActor } from '../access/context.ts';
import { write } from '../audit/write.ts';
import { type Client, findClient } from '../clients/find-client.ts';
import { throttle } from '../limits/throttle.ts';
import { toLaunchRow } from './app-launches.ts';
import { findWithin } from './find-within.ts';

/** In 15 minutes: each is kept. */
const LAUNCHES_A_PERSON = 600;

/**
 * SMART App Launch 2.2, EHR launch: opens an app about a patient for the caller, who signs in there as themselves. Where their browser goes; what
 * it brings is good once, for 15 minutes, for this app and this person. Throws 403 for who is no person, 404 for an app that is not the project's,
 * 400 naming `clientId` for one that has no launchUri, and `patient` or `encounter` for what the caller may not read; 429.
 */
export async function startLaunch(ctx: Ctx, input: LaunchRequest): Promise<StartedLaunch> {
  const { projectId, user, policy } = requireActor(ctx);
  if (!user.startsWith('User/')) throw new AppError('forbidden', 'An app is opened for a person, who signs in there');
  const { id: clientId, launchUri } = await requireLaunchable(projectId, input.clientId);
  const patient = await findWithin({ projectId, policy }, 'Patient', input.patient);
  if (!patient) throw new AppError('invalid', 'This is no patient that you may read', { expression: 'patient' });
  if (input.encounter !== undefined) await requireEncounter({ projectId, policy }, input.encounter, input.patient);
  await throttle(`launch-by:${user}`, LAUNCHES_A_PERSON);
  const context = {
    by: 'ehr' as const,
    patient: input.patient,
    ...(input.encounter !== undefined && { encounter: input.encounter }),
    needPatientBanner: input.needPatientBanner,
  };
  const { launch, row } = toLaunchRow({ projectId, clientId, userRef: user }, context);
  await write(ctx, async (w) => {
    await w.tx.insert(appLaunch).values(row);
    const after = { patient: `Patient/${input.patient}` };
    w.audit({ projectId, action: 'client.launch', target: `ClientApplication/${clientId}`, after });
  });
  const url = new URL(launchUri);
  url.searchParams.set('iss', fhirBase());
  url.searchParams.set('launch', launch);
  return { launch, location: url.href, expiresAt: row.expiresAt.toISOString() };
}

async function requireLaunchable(projectId: string, clientId: string): Promise<Client & { launchUri: string }> {
  const client = await findClient(clientId);
  if (client?.projectId !== projectId) throw new AppError('not-found', 'Client not found', { expression: 'clientId' });
  const { launchUri } = client.resource;
  if (launchUri === undefined || !URL.canParse(launchUri))
    throw new AppError('invalid', 'This app has no launchUri: nobody can open it about a patient', {
      expression: 'clientId',
    });
  return { ...client, launchUri };
}

async function requireEncounter(of: Parameters<typeof findWithin>[0], id: string, patient: string): Promise<void> {
  const encounter = await findWithin(of, 'Encounter', id);
  const subject = (encounter as { subject?: { reference?: string } } | undefined)?.subject?.reference;
  if (!encounter || subject !== `Patient/${patient}`)
    throw new AppError('invalid', 'This is no encounter of the patient that you may read', { expression: 'encounter' });
}
