import { z } from 'zod';
import { authorizationRequest } from '../requests/authorization.ts';

const id = (name: string) =>
  z
    .string({ error: `${name} must be the id of a record` })
    .regex(/^[A-Za-z0-9.-]{1,64}$/, `${name} must be the id of a record`);

/** POST /auth/launch. */
export const launchRequest = z.strictObject({
  clientId: z.uuid({ error: 'clientId must be the id of a client' }),
  patient: id('patient'),
  encounter: id('encounter').optional(),
  needPatientBanner: z.boolean({ error: 'needPatientBanner must be true or false' }).default(true),
});
export type LaunchRequest = z.output<typeof launchRequest>;

const typed = (most: number) => z.string().trim().max(most, `At most ${most} characters`).optional();

const filter = {
  name: typed(100),
  birthDate: z.iso.date({ error: 'birthDate must be a day like 1980-02-29' }).optional(),
  identifier: typed(100),
};

/** POST /auth/launch/patients: about whom the caller may open an app. */
export const launchPatientsRequest = z.strictObject(filter, { error: 'The body must be a JSON object' });

/** POST /auth/authorization/patients: of which person the app is to be about. */
export const patientsRequest = authorizationRequest.pick({ request: true, membership: true }).extend(filter);
export type PatientsRequest = z.output<typeof patientsRequest>;
export type PatientFilter = Pick<PatientsRequest, 'name' | 'birthDate' | 'identifier'>;
