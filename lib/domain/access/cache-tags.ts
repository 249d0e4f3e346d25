/** Names of what a cached value stands on. A change calls `w.invalidate(tag)`; every process drops what it had. No spaces in a tag. */
export function loginTag(loginId: string): string {
  return `login:${loginId}`;
}

export function membershipTag(membershipId: string): string {
  return `membership:${membershipId}`;
}

/** The project itself (name, active, features). */
export function projectTag(projectId: string): string {
  return `project:${projectId}`;
}

/** Any access policy of the project. */
export function policiesTag(projectId: string): string {
  return `policies:${projectId}`;
}

export function clientTag(clientId: string): string {
  return `client:${clientId}`;
}

export function botTag(botId: string): string {
  return `bot:${botId}`;
}
