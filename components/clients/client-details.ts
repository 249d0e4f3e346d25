import { z } from 'zod';
import { createClientRequest } from '#lib/protocol/requests/create-client.ts';

/** What people write about a client, made or edited. */
export const clientDetails = z.object({
  name: createClientRequest.shape.name,
  description: z.string().trim().max(4096, 'At most 4,096 characters'),
});
