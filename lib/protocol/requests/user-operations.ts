import { z } from 'zod';
import { emailAddress } from './email-address.ts';

const projectReference = z.looseObject(
  {
    reference: z
      .string({ error: 'project must be a reference to a Project' })
      .regex(/^Project\/[A-Za-z0-9\-.]{1,64}$/, 'project must be a reference to a Project'),
  },
  { error: 'project must be a reference to a Project' },
);

/** `User/:id/$rescope` (contract §2.7). */
export const rescopeRequest = z
  .strictObject({
    scope: z.enum(['project', 'global'], { error: 'scope must be project or global' }),
    project: projectReference.optional(),
  })
  .refine(({ scope, project }) => scope === 'global' || project, {
    path: ['project'],
    error: 'A scope of project needs the project',
  })
  .refine(({ scope, project }) => scope === 'project' || !project, {
    path: ['project'],
    error: 'project goes with a scope of project',
  });
export type RescopeRequest = z.output<typeof rescopeRequest>;

/** `User/:id/$update-email` (contract §2.7). */
export const updateEmailRequest = z.strictObject({
  email: emailAddress(),
  /** Also on the person's profile. */
  updateProfileTelecom: z.boolean({ error: 'updateProfileTelecom must be true or false' }).default(false),
});
export type UpdateEmailRequest = z.output<typeof updateEmailRequest>;
