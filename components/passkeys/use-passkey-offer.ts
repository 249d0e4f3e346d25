'use client';
import { useEffect, useEffectEvent } from 'react';
import { knowsPasskeys } from '#lib/client/passkeys/problem.ts';
import { type SignedByPasskey, waitForPasskey } from '#lib/client/passkeys/sign-in.ts';

/** A challenge lives for five minutes. */
const RENEW_MS = 4 * 60_000;

/**
 * While the page is looked at, the browser offers passkeys where the address is typed, if it can. Nobody has asked for that: what goes wrong
 * before one is chosen is not spoken of. `paused`: something else has the browser's attention.
 */
export function usePasskeyOffer(paused: boolean, onChosen: (response: SignedByPasskey) => void): void {
  const chosen = useEffectEvent(onChosen);
  useEffect(() => {
    if (paused || !knowsPasskeys()) return;
    let waiting = new AbortController();
    let offeredAt = 0;
    async function offer() {
      if (document.hidden || Date.now() - offeredAt < RENEW_MS / 2) return;
      offeredAt = Date.now();
      waiting.abort();
      waiting = new AbortController();
      const { signal } = waiting;
      const response = await waitForPasskey(signal).catch(() => undefined);
      if (response && !signal.aborted) chosen(response);
    }
    const timer = setInterval(offer, RENEW_MS);
    document.addEventListener('visibilitychange', offer);
    void offer();
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', offer);
      waiting.abort();
    };
  }, [paused]);
}
