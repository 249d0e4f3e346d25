/** Every key of the query cache. The project leads, so that leaving one drops all of it. */
export const keys = {
  me: ['me'] as const,
  project: (projectId: string) => ['project', projectId] as const,
  members: (projectId: string) => [...keys.project(projectId), 'members'] as const,
  memberList: (projectId: string, search: string) => [...keys.members(projectId), 'list', search] as const,
};
