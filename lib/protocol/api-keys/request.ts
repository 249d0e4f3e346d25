import { z } from 'zod';
import { plainName } from '../requests/plain-name.ts';
import { parseSmartScope, splitScopes } from '../smart-scopes.ts';

const LONGEST_MS = 366 * 86_400_000;
const isWithin = (ms: number) => ms > 0 && ms <= LONGEST_MS;

/** POST /auth/keys. A key has less than its person: some access to records, for a year at most. */
export const newApiKeyRequest = z.strictObject(
  {
    name: plainName('Name the key', 80, 'At most 80 characters'),
    scope: z
      .string({ error: 'scope is required: scopes like user/Patient.rs' })
      .max(1024, 'scope is longer than 1024 characters')
      .transform((text) => splitScopes(text))
      .refine((scopes) => scopes.length > 0, { error: 'scope is required: scopes like user/Patient.rs', abort: true })
      .refine((scopes) => scopes.every(parseSmartScope), 'Each scope must be one for resources, like user/Patient.rs')
      .transform((scopes) => scopes.join(' ')),
    expiresAt: z.iso
      .datetime({ offset: true, abort: true, error: 'expiresAt must be an instant like 2027-01-31T12:00:00Z' })
      .refine((text) => isWithin(Date.parse(text) - Date.now()), 'expiresAt must be within the next year'),
  },
  { error: 'The body must be a JSON object' },
);
export type NewApiKeyRequest = z.output<typeof newApiKeyRequest>;
