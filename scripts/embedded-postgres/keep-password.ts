import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Of a role of the embedded PostgreSQL: made once, in a file that only we read. */
export function keepPassword(dataDir: string, name: 'postgres-password' | 'postgres-server-password'): string {
  const file = join(dataDir, name);
  if (!existsSync(file)) writeFileSync(file, randomBytes(24).toString('base64url'), { mode: 0o600 });
  return readFileSync(file, 'utf8').trim();
}
