import { randomBytes, randomUUID, randomUUIDv7 } from 'node:crypto';

/**
 * Version 7 (RFC 9562, 5.7): what is made together stands together in every index. Random ones cost PostgreSQL a tenth more time for each create,
 * and twice as much log. The first Node 24 had no such function.
 */
export const newId: () => string = randomUUIDv7 ?? randomUUID;

/** A URL-safe secret of `bytes` random bytes (default 32, 256 bits). */
export function newSecret(bytes = 32): string {
  return randomBytes(bytes).toString('base64url');
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export function isUuid(value: unknown): value is string {
  return typeof value === 'string' && UUID.test(value);
}

/** The tenant of what stands above projects: server-scoped Users. No project ever has this id. */
export const SERVER_SCOPE = '00000000-0000-0000-0000-000000000000';

/** The project of the super-admin. One for a server, so it needs no random id, and several instances mean the same. */
export const SUPER_ADMIN_PROJECT = '00000000-0000-4000-8000-000000000001';
