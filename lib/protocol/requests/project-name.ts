import { plainName } from './plain-name.ts';

const REQUIRED = 'Project name is required';
const LENGTH = 'Project name must be 4 to 72 characters';

/** What people may call their project, when they register it and whenever they change it (contract §1.5). */
export const projectName = plainName(REQUIRED, 72, LENGTH).min(4, LENGTH);

/** What a super-admin may call one: other systems bring their own names along (contract §2.1). */
export const givenProjectName = plainName(REQUIRED, 128, 'Project name must be at most 128 characters');
