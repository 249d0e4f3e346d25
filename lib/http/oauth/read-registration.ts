import { readJson } from '../door/read-body.ts';

/** Many addresses, and many scopes. */
const MOST_BYTES = 65_536;

/** A request of RFC 7591 §3.1: what an app says of itself, and the token by which it may. */
export async function readRegistration(request: Request): Promise<{ token: string | undefined; metadata: unknown }> {
  const [, token] = /^bearer +(\S+)$/i.exec(request.headers.get('authorization') ?? '') ?? [];
  return { token, metadata: token === undefined ? undefined : await readJson(request, MOST_BYTES) };
}
