import type { Project, ProjectMembership, ProjectSetting } from '../fhir/types.ts';

/** Setting of a project in which a membership without any policy reaches no record (contract §4.1). Off unless it says so: then it reaches all. */
export const REQUIRE_POLICY = 'requirePolicy';

/** Whether the project has that setting. */
export function requiresPolicy({ setting = [] }: Pick<Project, 'setting'>): boolean {
  return setting.some(({ name, valueBoolean }) => name === REQUIRE_POLICY && valueBoolean === true);
}

/** Whether a membership names a policy at all; an empty list of them names none. */
export function namesPolicy({ accessPolicy, access }: Pick<ProjectMembership, 'accessPolicy' | 'access'>): boolean {
  return accessPolicy !== undefined || (access?.length ?? 0) > 0;
}

/** What is wrong with a setting of this name; undefined for any other, and where nothing is. */
export function findRequirementFault({ name, valueBoolean }: ProjectSetting): string | undefined {
  if (name !== REQUIRE_POLICY || valueBoolean !== undefined) return undefined;
  return 'this setting is true or false: it takes valueBoolean';
}
