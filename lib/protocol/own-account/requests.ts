import { z } from 'zod';
import { emailAddress } from '../requests/email-address.ts';
import { plainName } from '../requests/plain-name.ts';

const name = (label: string) => plainName(`${label} is required`, 128, `${label} must be at most 128 characters`);

/** PUT /auth/name, in the bounds of /auth/newuser. `version`: what GET /auth/name said; without it the last one wins. */
export const ownNameRequest = z.strictObject({
  firstName: name('First name'),
  lastName: name('Last name'),
  version: z.int({ error: 'version must be a whole number' }).positive().optional(),
});
export type OwnNameRequest = z.output<typeof ownNameRequest>;

/** POST /auth/address. */
export const ownAddressRequest = z.strictObject({ email: emailAddress() });
export type OwnAddressRequest = z.output<typeof ownAddressRequest>;

/** POST /auth/erasure. `confirm`: the address of the account, or where it has none the name. */
export const erasureRequest = z.strictObject({
  confirm: z.string({ error: 'confirm is required: the address of the account' }).trim().max(400),
});
export type ErasureRequest = z.output<typeof erasureRequest>;
