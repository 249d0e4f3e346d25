import type { OwnMembership } from '#lib/protocol/answers/own-memberships.ts';

/** The projects that one administers beside this one, for choosing one. */
export function administeredElsewhere(memberships: readonly OwnMembership[], projectId: string) {
  const projects = new Map<string, string>();
  for (const { project, admin } of memberships) {
    const id = project.reference?.slice('Project/'.length);
    if (admin && id && id !== projectId) projects.set(id, project.display ?? id);
  }
  return [...projects].map(([value, label]) => ({ value, label }));
}
