import { z } from 'zod';
import type { AccessEntry } from '#lib/protocol/fhir/types.ts';
import { MAX_ACCESS, MAX_PARAMETERS } from '../fhir/identity/bounds.ts';
import { plainName } from '../requests/plain-name.ts';

const error = 'The body must be a JSON object';

/** Only the reference is kept: names are looked for when they are shown. */
const reference = z.object({ reference: z.string({ error: 'reference is required' }).min(1).max(256) });

const parameter = z
  .strictObject({
    name: plainName('name is required'),
    valueString: plainName('valueString must not be empty', 1024).optional(),
    valueReference: reference.optional(),
  })
  .refine((one) => (one.valueString === undefined) !== (one.valueReference === undefined), 'A parameter has one value');

/** PUT /admin/projects/{id}/scim/{connection}/groups/{group}: what is not named is not given. */
export const groupMapping = z.strictObject(
  {
    access: z
      .array(z.strictObject({ policy: reference, parameter: z.array(parameter).max(MAX_PARAMETERS).optional() }))
      .max(MAX_ACCESS, `At most ${MAX_ACCESS} policies`)
      .default([])
      .transform((list) => list as AccessEntry[]),
    admin: z.boolean({ error: 'admin must be true or false' }).default(false),
  },
  { error },
);
