import { readFile, stat } from 'node:fs/promises';
import { createSecureContext, type SecureContextOptions } from 'node:tls';
import { env } from '#lib/base/env.ts';

export type TlsFiles = { options: SecureContextOptions; changed: string };

/** The server's certificate and key, as they are now. Undefined without a setting. Throws when they cannot be read, or do not belong together. */
export async function readTlsFiles(known?: TlsFiles): Promise<TlsFiles | undefined> {
  const { MLLP_TLS_CERT, MLLP_TLS_KEY } = env();
  if (!MLLP_TLS_CERT || !MLLP_TLS_KEY) return undefined;
  const [cert, key] = await Promise.all([stat(MLLP_TLS_CERT), stat(MLLP_TLS_KEY)]);
  const changed = [cert, key].map(({ mtimeMs, size, ino }) => `${mtimeMs}/${size}/${ino}`).join(' ');
  if (known?.changed === changed) return known;
  const files = { cert: await readFile(MLLP_TLS_CERT), key: await readFile(MLLP_TLS_KEY) };
  const options = { ...files, minVersion: 'TLSv1.2' } as const;
  createSecureContext(options);
  return { options, changed };
}
