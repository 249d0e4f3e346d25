import { z } from 'zod';
import { plainName } from '../requests/plain-name.ts';

const name = plainName('Name the directory', 80, 'At most 80 characters');
const sendEmail = z.boolean({ error: 'sendEmail must be true or false' });
const error = 'The body must be a JSON object';

/** What a form asks. */
export const scimConnectionName = z.object({ name });

/** POST /admin/projects/{id}/scim. */
export const newScimConnection = z.strictObject({ name, sendEmail: sendEmail.default(false) }, { error });
export type NewScimConnection = z.output<typeof newScimConnection>;

/** PATCH /admin/projects/{id}/scim/{connection}: what is not named stays. */
export const scimConnectionEdit = z.strictObject({ name: name.optional(), sendEmail: sendEmail.optional() }, { error });
export type ScimConnectionEdit = z.output<typeof scimConnectionEdit>;
