import { readFile, stat } from 'node:fs/promises';
import type { SecureContextOptions } from 'node:tls';
import { env } from '#lib/base/env.ts';

export type TlsFiles = { options: SecureContextOptions; changedAt: number };

/** The server's certificate and key, as they are now. Undefined without a setting. Throws when they cannot be read. */
export async function readTlsFiles(known?: TlsFiles): Promise<TlsFiles | undefined> {
  const { MLLP_TLS_CERT, MLLP_TLS_KEY } = env();
  if (!MLLP_TLS_CERT || !MLLP_TLS_KEY) return undefined;
  const [cert, key] = await Promise.all([stat(MLLP_TLS_CERT), stat(MLLP_TLS_KEY)]);
  const changedAt = Math.max(cert.mtimeMs, key.mtimeMs);
  if (known?.changedAt === changedAt) return known;
  const files = { cert: await readFile(MLLP_TLS_CERT), key: await readFile(MLLP_TLS_KEY) };
  return { options: { ...files, minVersion: 'TLSv1.2' }, changedAt };
}
