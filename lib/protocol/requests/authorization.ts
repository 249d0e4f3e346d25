import { z } from 'zod';
import { loginRequest } from './auth.ts';

/** A person's answer to an app. `request`: the query that /oauth2/authorize was asked with. */
export const authorizationRequest = z.object({
  request: z.string({ error: 'request is required' }).max(16_384, 'request is too long'),
  decision: z.enum(['allow', 'deny'], { error: 'decision must be allow or deny' }),
  membership: z.uuid({ error: 'membership must be the id of a membership' }).optional(),
  /** About whom, where the app asks for a patient. */
  patient: z
    .string({ error: 'patient must be the id of a patient' })
    .regex(/^[A-Za-z0-9.-]{1,64}$/, 'patient must be the id of a patient')
    .optional(),
});
export type AuthorizationRequest = z.output<typeof authorizationRequest>;

/** What a device shows, however it is typed: the eight letters of it count. */
const userCode = z
  .string({ error: 'The code is required' })
  .max(40, 'The code has eight letters')
  .refine((text) => text.replace(/[^A-Za-z]/g, '').length === 8, 'The code has eight letters');

export const deviceCodeRequest = z.object({ userCode });

/** A person's answer to a device. */
export const deviceDecision = authorizationRequest.omit({ request: true, patient: true }).extend({ userCode });
export type DeviceDecision = z.output<typeof deviceDecision>;

export const methodRequest = loginRequest.pick({ email: true, projectId: true });

/** What a sign-in by way of an identity provider asks for: as one by password does (contract §1.5). */
export const externalRequest = loginRequest
  .omit({ email: true, password: true, launch: true })
  .extend({ domain: z.string().max(253).optional(), loginHint: z.string().max(254).optional() });
export type ExternalRequest = z.output<typeof externalRequest>;

/** POST /auth/exchange. */
export const exchangeRequest = z.object({
  externalAccessToken: z.string({ error: 'externalAccessToken is required' }).min(1).max(8192),
  clientId: z.string({ error: 'clientId is required' }).min(1).max(64),
  scope: loginRequest.shape.scope,
});
export type ExchangeRequest = z.output<typeof exchangeRequest>;
