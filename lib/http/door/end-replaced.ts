import { log } from '#lib/base/log.ts';
import { askOwnApi } from './own-api.ts';
import { readSession } from './session-cookie.ts';

/** The session that begins. */
type Next = { loginId: string; accessToken: string };

/**
 * The console session that this browser had, of the same person, ends with a new sign-in in its place (OWASP ASVS 7.2.4): whoever has the old
 * cookie has nothing. Another person's is no concern of this one, and goes on. A sign-in does not fail by it.
 */
export async function endReplaced({ loginId, accessToken }: Next, caller: Headers): Promise<void> {
  try {
    const before = await readSession({ headers: caller });
    if (!before || before.id === loginId) return;
    const headers = { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' };
    const body = JSON.stringify({ loginId: before.id });
    const { status } = await askOwnApi('/auth/revoke', { method: 'POST', headers, body }, caller);
    // 404: another person's, or none any more.
    if (status !== 200 && status !== 404) log.warn({ status }, 'the session before could not be ended');
  } catch (error) {
    log.warn({ err: error }, 'the session before could not be ended');
  }
}
