import { z } from 'zod';
import { linkCodeRequest, linkRequest, loginRequest } from '../requests/auth.ts';

/** POST /auth/signinlink: who, and what the sign-in asks for, as with a password. */
export const mailLinkRequest = loginRequest.omit({ password: true });
export type MailLinkRequest = z.output<typeof mailLinkRequest>;

const { id, secret } = linkRequest.shape;
const { codeChallenge, codeChallengeMethod } = loginRequest.shape;

/** POST /auth/signinlink/spend: the link's secret, or the code with the id of the sign-in that was begun. */
export const spendLinkRequest = z
  .object({
    id,
    secret: secret.optional(),
    code: linkCodeRequest.shape.code.optional(),
    codeChallenge,
    codeChallengeMethod,
  })
  .refine((input) => (input.secret === undefined) !== (input.code === undefined), {
    path: ['code'],
    error: 'either secret or code is required',
  });
export type SpendLinkRequest = z.output<typeof spendLinkRequest>;
