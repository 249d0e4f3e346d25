import { z } from 'zod';
import { givenProjectName } from './project-name.ts';

/** POST /admin/Project (contract §2.1). What else a Project may say is for the FHIR validator. */
export const createProjectRequest = z.looseObject(
  {
    resourceType: z.literal('Project', { error: 'resourceType must be Project' }),
    name: givenProjectName,
    strictMode: z.boolean({ error: 'strictMode must be true or false' }).default(true),
  },
  { error: 'The body must be a Project' },
);
export type CreateProjectRequest = z.output<typeof createProjectRequest>;
