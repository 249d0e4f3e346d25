import { z } from 'zod';
import type { ClientApplication } from '#lib/protocol/fhir/client-types.ts';
import type { AccessEntry, Reference } from '#lib/protocol/fhir/types.ts';
import { MAX_ACCESS } from '../fhir/identity/bounds.ts';
import { plainName } from './plain-name.ts';

const reference = z.looseObject({ reference: z.string({ error: 'reference is required' }).min(1) });

/** POST /admin/projects/{id}/client (contract §2.7). The FHIR validator checks the rest of what a ClientApplication may say. */
export const createClientRequest = z.looseObject(
  {
    resourceType: z.literal('ClientApplication').optional(),
    name: plainName('Client name is required', 128, 'At most 128 characters'),
    accessPolicy: reference.optional(),
    access: z
      .array(z.looseObject({ policy: reference }))
      .max(MAX_ACCESS, `At most ${MAX_ACCESS} policies`)
      .optional(),
  },
  { error: 'The body must be a JSON object' },
);
export type CreateClientRequest = z.output<typeof createClientRequest>;

/** The resource of the request, and what its membership is to reach. */
export function toClient(request: CreateClientRequest): {
  client: ClientApplication;
  access: { accessPolicy?: Reference; access?: AccessEntry[] };
} {
  const { accessPolicy, access, ...rest } = request;
  return {
    client: { ...rest, resourceType: 'ClientApplication' } as ClientApplication,
    access: {
      ...(accessPolicy && { accessPolicy: accessPolicy as Reference }),
      ...(access?.length && { access: access as AccessEntry[] }),
    },
  };
}

/** More than anybody plans for; and a year that every database reads. */
const LONGEST_MS = 5 * 366 * 86_400_000;

const isWithin = (ms: number) => ms > 0 && ms < LONGEST_MS;

/** POST /admin/projects/{id}/clients/{client}/secrets. */
export const newSecretRequest = z.strictObject(
  {
    name: plainName('Name the secret', 80, 'At most 80 characters'),
    expiresAt: z.iso
      .datetime({ offset: true, abort: true, error: 'expiresAt must be an instant like 2027-01-31T12:00:00Z' })
      .refine((text) => isWithin(Date.parse(text) - Date.now()), 'expiresAt must be within the next five years')
      .optional(),
  },
  { error: 'The body must be a JSON object' },
);
export type NewSecretRequest = z.output<typeof newSecretRequest>;
