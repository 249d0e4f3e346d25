import { env } from '#lib/base/env.ts';
import { DEVICE_SECONDS } from '#lib/domain/limits/known-device.ts';

const NAME = 'gatehouse-device';

/** What this browser has kept of earlier sign-ins, or ''. */
export function readDevice(request: Request): string {
  const found = (request.headers.get('cookie') ?? '').split(/;\s*/).find((cookie) => cookie.startsWith(`${NAME}=`));
  return found?.slice(NAME.length + 1) ?? '';
}

/** For sign-in alone, and no script reads it. */
export function deviceCookie(words: string): Record<string, string> {
  const secure = env().BASE_URL.startsWith('https:') ? '; Secure' : '';
  return { 'set-cookie': `${NAME}=${words}; Path=/auth; Max-Age=${DEVICE_SECONDS}; HttpOnly; SameSite=Lax${secure}` };
}
