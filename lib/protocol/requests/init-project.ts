import { z } from 'zod';

/** `Project/$init` (contract §2.1). Without an owner the caller is it, when they are a person. */
export const initProjectRequest = z
  .strictObject({
    name: z
      .string({ error: 'Project name is required' })
      .trim()
      .min(1, 'Project name is required')
      .max(128, 'Project name must be at most 128 characters'),
    owner: z
      .looseObject(
        { reference: z.string({ error: 'owner must be a reference to a User' }) },
        { error: 'owner must be a reference to a User' },
      )
      .optional(),
    ownerEmail: z
      .string({ error: 'ownerEmail must be an e-mail address' })
      .trim()
      .toLowerCase()
      .pipe(
        z.email({ error: 'ownerEmail must be an e-mail address' }).max(72, 'ownerEmail must be at most 72 characters'),
      )
      .optional(),
  })
  .refine(({ owner, ownerEmail }) => !owner || !ownerEmail, {
    path: ['ownerEmail'],
    error: 'Give owner or ownerEmail, not both',
  });
export type InitProjectRequest = z.output<typeof initProjectRequest>;
