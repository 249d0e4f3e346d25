import { createHash } from 'node:crypto';
import { readBotTypes } from '#lib/infra/bot-types/read-bot-types.ts';
import type { Reply } from '../door/reply.ts';

/** A day: they are those of packages, and change with a release alone. */
const CACHE = 'private, max-age=86400';

/** The compiler and the declarations for the editor of bots, as a file that is gzipped: whoever asks unpacks it. 304 for who has them. */
export async function readTypes(request: Request): Promise<Reply> {
  const body = await readBotTypes();
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
  const headers = { etag, 'cache-control': CACHE };
  if (request.headers.get('if-none-match') === etag) return { status: 304, headers };
  return { status: 200, body, contentType: 'application/gzip', headers };
}
