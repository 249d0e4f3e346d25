import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { asServer } from '#scripts/embedded-postgres/as-server.ts';
import { readPostmaster } from '#scripts/embedded-postgres/postmaster.ts';

/** A file that the shared server keeps beside its database. */
export function keptByServer(name: string): string {
  return readFileSync(join(process.env.E2E_DATA_DIR!, name), 'utf8').trim();
}

/** The database of the shared server, as the owner of its tables. */
export function ownerDatabaseUrl(): string {
  const port = readPostmaster(join(process.env.E2E_DATA_DIR!, 'postgres'))?.port;
  return `postgres://gatehouse:${keptByServer('postgres-password')}@127.0.0.1:${port}/gatehouse`;
}

/** The same as the server itself connects to it. */
export function serverDatabaseUrl(): string {
  return asServer(ownerDatabaseUrl(), process.env.E2E_DATA_DIR!);
}

/** From here on the product's own verbs, called in this process, write where the shared server reads. */
export function actAsServer(): void {
  // Not what the developer's shell may name.
  Object.assign(process.env, {
    DATABASE_URL: serverDatabaseUrl(),
    AUTH_SECRET: keptByServer('auth-secret'),
    BASE_URL: sharedServer(),
    LOG_LEVEL: 'silent',
  });
}

export function sharedServer(): string {
  return `http://localhost:${process.env.E2E_PORT}`;
}
