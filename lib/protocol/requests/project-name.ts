import { z } from 'zod';

const LENGTH = 'Project name must be 4 to 72 characters';

/** What people may call their project, when they register it and whenever they change it. */
export const projectName = z.string({ error: 'Project name is required' }).trim().min(4, LENGTH).max(72, LENGTH);
