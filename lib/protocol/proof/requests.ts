import { z } from 'zod';
import { assertion } from '../passkeys/requests.ts';
import { loginRequest } from '../requests/auth.ts';

/** One of them: the password, a code of any second factor, or what a passkey signed (POST /auth/passkey/options). */
export const proofRequest = z
  .strictObject({
    password: loginRequest.shape.password.optional(),
    token: z.string().min(1).max(64).optional(),
    response: assertion.optional(),
  })
  .refine((body) => Object.values(body).filter((value) => value !== undefined).length === 1, {
    error: 'Give one of password, token and response',
    path: ['password'],
  });
export type ProofRequest = z.output<typeof proofRequest>;
