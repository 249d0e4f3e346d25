import { z } from 'zod';
import { emailAddress } from '../requests/email-address.ts';

const handle = z.string({ error: 'handle is required' }).min(1, 'handle is required').max(128);

/** POST /auth/merge: a sign-in to the account that is to end. */
export const mergeRequest = z.strictObject({
  email: emailAddress('Email', 'Valid email address is required'),
  password: z.string({ error: 'Password is required' }).min(1, 'Password is required').max(1024),
});
export type MergeRequest = z.output<typeof mergeRequest>;

/** POST /auth/merge/code, /auth/merge/preview and /auth/merge/confirm. */
export const mergeHandleRequest = z.strictObject({ handle });
export type MergeHandleRequest = z.output<typeof mergeHandleRequest>;

/** POST /auth/merge/verify. */
export const mergeCodeRequest = z.strictObject({
  handle,
  token: z.string({ error: 'token is required' }).trim().min(1, 'token is required').max(64),
});
export type MergeCodeRequest = z.output<typeof mergeCodeRequest>;
