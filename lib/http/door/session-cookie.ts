import { decode } from 'next-auth/jwt';
import { env } from '#lib/base/env.ts';

/** next-auth's cookie names; a long session is split into `.0`, `.1` … */
const NAME = /^(?:__Secure-)?next-auth\.session-token(?:\.(\d+))?$/;

/** The login id in next-auth's encrypted session cookie, or undefined when there is none or it does not open. */
export async function readSession(request: Request): Promise<string | undefined> {
  const token = sessionToken(request.headers.get('cookie') ?? '');
  if (!token) return undefined;
  try {
    const session = await decode({ token, secret: env().AUTH_SECRET });
    return typeof session?.loginId === 'string' ? session.loginId : undefined;
  } catch {
    return undefined;
  }
}

function sessionToken(cookies: string): string {
  const parts: { order: number; value: string }[] = [];
  for (const cookie of cookies.split(/;\s*/)) {
    const at = cookie.indexOf('=');
    const match = NAME.exec(cookie.slice(0, at));
    if (match) parts.push({ order: Number(match[1] ?? 0), value: cookie.slice(at + 1) });
  }
  return parts
    .sort((a, b) => a.order - b.order)
    .map((part) => part.value)
    .join('');
}
