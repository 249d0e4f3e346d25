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

/** Any profile or value set of the project. */
export function definitionsTag(projectId: string): string {
  return `definitions:${projectId}`;
}

/** Any search parameter of the project's own. */
export function searchParametersTag(projectId: string): string {
  return `search-parameters:${projectId}`;
}

/** Any subscription of the project. */
export function subscriptionsTag(projectId: string): string {
  return `subscriptions:${projectId}`;
}

/** A Subscription that is listened to by a socket. */
export function listenedTag(subscriptionId: string): string {
  return `listened:${subscriptionId}`;
}

/** Any key that signs or verifies tokens. PostgreSQL itself names it, whoever changes one (a trigger on `signing_key`). */
export const SIGNING_KEYS_TAG = 'signing-keys';

export function clientTag(clientId: string): string {
  return `client:${clientId}`;
}

export function botTag(botId: string): string {
  return `bot:${botId}`;
}

/** Any secret that a bot of the project has of its own. */
export function botSecretsTag(projectId: string): string {
  return `bot-secrets:${projectId}`;
}

/** Any erasure of a patient's record of the project. */
export function erasuresTag(projectId: string): string {
  return `erasures:${projectId}`;
}

/** The key of a person. */
export function keyTag(keyId: string): string {
  return `key:${keyId}`;
}

/** A view with a member’s eyes. */
export function viewTag(viewId: string): string {
  return `view:${viewId}`;
}

/** The connection of a directory, and its tokens. */
export function scimTag(connectionId: string): string {
  return `scim:${connectionId}`;
}
