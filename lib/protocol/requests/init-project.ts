import { z } from 'zod';
import { emailAddress } from './email-address.ts';
import { givenProjectName } from './project-name.ts';

/** `Project/$init` (contract §2.1). Without an owner the caller is it, when they are a person. */
export const initProjectRequest = z
  .strictObject({
    name: givenProjectName,
    owner: z
      .looseObject(
        { reference: z.string({ error: 'owner must be a reference to a User' }) },
        { error: 'owner must be a reference to a User' },
      )
      .optional(),
    ownerEmail: emailAddress('ownerEmail').optional(),
  })
  .refine(({ owner, ownerEmail }) => !owner || !ownerEmail, {
    path: ['ownerEmail'],
    error: 'Give owner or ownerEmail, not both',
  });
export type InitProjectRequest = z.output<typeof initProjectRequest>;
