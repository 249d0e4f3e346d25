import { keepPassword } from './keep-password.ts';

/** Of the embedded database's role that serves and does not own the tables (lib/infra/db/server-role/). */
const SERVER_ROLE = 'gatehouse_server';

/** The address of the embedded database for its server: by that role, whose password is kept beside the owner's. */
export function asServer(ownerUrl: string, dataDir: string): string {
  const url = new URL(ownerUrl);
  url.username = SERVER_ROLE;
  url.password = keepPassword(dataDir, 'postgres-server-password');
  return url.href;
}
