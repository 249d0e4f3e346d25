import type { IncomingMessage } from 'node:http';
import { env } from '#lib/base/env.ts';

/** The socket's own address, or what the outermost trusted proxy saw: a client may write whatever it likes before that. */
export function addressOf({ socket, headers }: IncomingMessage): string {
  const seen = [headers['x-forwarded-for']]
    .flat()
    .join(',')
    .split(',')
    .map((part) => part.trim());
  const { TRUSTED_PROXIES } = env();
  const address = (TRUSTED_PROXIES > 0 && seen.at(-TRUSTED_PROXIES)) || (socket.remoteAddress ?? '');
  // An IPv4 caller of a socket that serves both families.
  return address.replace(/^::ffff:/, '').slice(0, 64);
}
