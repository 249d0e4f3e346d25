import { z } from 'zod';

/** POST /admin/Project (contract §2.1). What else a Project may say is for the FHIR validator. */
export const createProjectRequest = z.looseObject(
  {
    resourceType: z.literal('Project', { error: 'resourceType must be Project' }),
    name: z
      .string({ error: 'Project name is required' })
      .trim()
      .min(1, 'Project name is required')
      .max(128, 'Project name must be at most 128 characters'),
    strictMode: z.boolean({ error: 'strictMode must be true or false' }).default(true),
  },
  { error: 'The body must be a Project' },
);
export type CreateProjectRequest = z.output<typeof createProjectRequest>;
