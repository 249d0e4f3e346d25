/** Every key of the query cache. The project leads, so that leaving one drops all of it. */
export const keys = {
  me: ['me'] as const,
  project: (projectId: string) => ['project', projectId] as const,
  members: (projectId: string) => [...keys.project(projectId), 'members'] as const,
  memberList: (projectId: string, search: string) => [...keys.members(projectId), 'list', search] as const,
  member: (projectId: string, id: string) => [...keys.members(projectId), 'one', id] as const,
  facts: (projectId: string) => [...keys.project(projectId), 'facts'] as const,
  invites: (projectId: string) => [...keys.project(projectId), 'invites'] as const,
  jobs: (projectId: string) => [...keys.project(projectId), 'jobs'] as const,
  bots: (projectId: string) => [...keys.project(projectId), 'bots'] as const,
  botList: (projectId: string) => [...keys.bots(projectId), 'list'] as const,
  bot: (projectId: string, botId: string) => [...keys.bots(projectId), 'one', botId] as const,
  clients: (projectId: string) => [...keys.project(projectId), 'clients'] as const,
  settings: (projectId: string) => [...keys.project(projectId), 'settings'] as const,
  policies: (projectId: string) => [...keys.project(projectId), 'policies'] as const,
  activity: (projectId: string) => [...keys.project(projectId), 'activity'] as const,
  overview: (projectId: string) => [...keys.project(projectId), 'overview'] as const,
};
