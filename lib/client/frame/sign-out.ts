import { api } from '../api/api.ts';
import { dropDrafts } from '../api/drafts.ts';
import { whilePending } from '../api/pending.ts';

/** Ends the login on the server, drops the cookie, and leaves with a full page load so that nothing stays in memory. */
export async function signOutHere(): Promise<void> {
  return whilePending(async () => {
    // An ended session is as good as one ended now.
    await api('/oauth2/logout', { method: 'POST', signingIn: true }).catch(() => undefined);
    const { signOut } = await import('next-auth/react');
    await signOut({ redirect: false });
    dropDrafts();
    window.location.assign('/signin?reason=signed-out');
  });
}
