/** Names of what a cached session stands on. A change calls `w.invalidate(key)`; every process drops what it had. No spaces in a key. */
export function loginKey(loginId: string): string {
  return `login:${loginId}`;
}

export function membershipKeyOf(membershipId: string): string {
  return `membership:${membershipId}`;
}

/** The project itself (name, active, features). */
export function projectKey(projectId: string): string {
  return `project:${projectId}`;
}

/** Any access policy of the project. */
export function policiesKey(projectId: string): string {
  return `policies:${projectId}`;
}

export function clientKey(clientId: string): string {
  return `client:${clientId}`;
}

export function botKey(botId: string): string {
  return `bot:${botId}`;
}
