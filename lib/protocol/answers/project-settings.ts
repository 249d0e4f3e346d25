import type { Project, ProjectSetting } from '../fhir/types.ts';

/** GET /admin/projects/{id}: settings and sites, and the secrets by name; their values are masked, or revealed when asked for. */
export type ProjectSettings = {
  project: Pick<Project, 'id' | 'name' | 'setting' | 'site'> & { secret: ProjectSetting[] };
};
