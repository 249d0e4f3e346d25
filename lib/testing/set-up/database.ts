import { randomBytes } from 'node:crypto';
import postgres from 'postgres';

export type ServerRole = { user: string; password: string };

/** The same database for that role. */
export function asRole(url: string, role: ServerRole | null): string {
  const changed = new URL(url);
  if (role) Object.assign(changed, { username: role.user, password: role.password });
  return changed.href;
}

/** A database of one's own, cloned from the template: its URL for the owner. It goes when the server does. */
export async function cloneDatabase(templateUrl: string): Promise<string> {
  if (process.env.TEST_SHARED_DATABASE_URL) return templateUrl;
  const template = new URL(templateUrl).pathname.slice(1);
  const name = `${template}_${randomBytes(6).toString('hex')}`;
  // Cloning locks the template: workers that start at once take turns.
  await administer(templateUrl, [
    "select pg_advisory_lock(hashtext('gatehouse template'))",
    `create database ${name} template ${template}`,
    // What a database itself grants is not cloned with it (server-role/let-in.ts).
    `revoke temporary on database ${name} from public`,
  ]);
  return withDatabase(templateUrl, name);
}

export async function administer(url: string, statements: string[]): Promise<void> {
  const sql = connect(withDatabase(url, 'postgres'));
  try {
    for (const statement of statements) await sql.unsafe(statement);
  } finally {
    await sql.end({ timeout: 5 });
  }
}

export function connect(url: string): postgres.Sql {
  return postgres(url, { max: 1, onnotice: () => undefined });
}

export function withDatabase(url: string, name: string): string {
  const changed = new URL(url);
  changed.pathname = `/${name}`;
  return changed.href;
}
