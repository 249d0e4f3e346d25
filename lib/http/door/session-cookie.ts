import { decode, type JWT } from 'next-auth/jwt';
import type { LoginKey } from '#lib/domain/sessions/find-login.ts';
import { keyring } from '#lib/infra/crypto/keyring.ts';

/** next-auth's cookie names; a long session is split into `.0`, `.1` … */
const NAME = /^(?:__Secure-)?next-auth\.session-token(?:\.(\d+))?$/;

/** The login in next-auth's encrypted session cookie, or undefined when there is none or it does not open. */
export async function readSession(request: Pick<Request, 'headers'>): Promise<LoginKey | undefined> {
  const token = sessionToken(request.headers.get('cookie') ?? '');
  if (!token) return undefined;
  const session = await openSession(token);
  const { projectId, loginId } = session ?? {};
  return typeof projectId === 'string' && typeof loginId === 'string' ? { projectId, id: loginId } : undefined;
}

/** Under whichever secret of the keyring it was sealed; null when it does not open. */
export async function openSession(token: string | undefined): Promise<JWT | null> {
  for (const secret of keyring()) {
    const session = await decode({ token, secret }).catch(() => null);
    if (session) return session;
  }
  return null;
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
