import { createHash } from 'node:crypto';
import { env } from '#lib/base/env.ts';

/** One for each sign-in under way, so that two tabs do not take each other's. */
export function cookieOf(state: string): string {
  return `gatehouse-external-${createHash('sha256').update(state).digest('hex').slice(0, 16)}`;
}

export function readCookie(request: Request, name: string): string | undefined {
  const found = (request.headers.get('cookie') ?? '').split(/;\s*/).find((cookie) => cookie.startsWith(`${name}=`));
  return found?.slice(name.length + 1);
}

/** Lax: it comes along when the provider sends the browser back by an address, and with nothing else of another site. */
export function toCookie(name: string, value: string, seconds: number): string {
  const secure = env().BASE_URL.startsWith('https:') ? '; Secure' : '';
  return `${name}=${value}; Path=/auth/external; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`;
}
