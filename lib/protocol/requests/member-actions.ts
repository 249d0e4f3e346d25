import { z } from 'zod';
import { emailAddress } from './email-address.ts';

const email = emailAddress();
const password = z.string({ error: 'password is required' }).max(1024);

/** POST …/members/{id}/repair: without a profile, the deleted one comes back. */
export const repairRequest = z
  .strictObject({
    profile: z.looseObject({ reference: z.string({ error: 'reference is required' }).min(1) }).optional(),
  })
  .default({});

/** Another address for somebody, as the form for it asks: POST …/members/{id}/invite/address. */
export const newEmailRequest = z.strictObject({ email });
export type NewEmailRequest = z.output<typeof newEmailRequest>;

/** POST …/members/{id}/mfa/reset. */
export const mfaResetRequest = z
  .strictObject({
    method: z.enum(['totp', 'email'], { error: 'method must be totp or email' }).optional(),
    /** Their passkeys, too: all of them. Without a method, these alone. */
    passkeys: z.boolean({ error: 'passkeys must be true or false' }).optional(),
  })
  .default({});

/** POST /admin/projects/setpassword. */
export const setMemberPasswordRequest = z.strictObject({ email, password });

/** POST /admin/super/setpassword: without a project, of a server-scoped User. */
export const superSetPasswordRequest = z.strictObject({
  email,
  password,
  projectId: z.uuid({ error: 'projectId must be a UUID' }).optional(),
});

/** POST /admin/projects/{id}/owner. */
export const handOverRequest = z.strictObject({
  membership: z.uuid({ error: 'membership must be the id of a membership' }),
});
export type HandOverRequest = z.output<typeof handOverRequest>;
