'use client';
import type { UseMutationResult } from '@tanstack/react-query';
import { useState } from 'react';
import type { RevealRequest } from '#lib/protocol/bots/runs/run-requests.ts';

type Reveal<T> = UseMutationResult<T, Error, RevealRequest>;

/** What is shown as it was since somebody gave a reason, until it is masked again; and the dialog (reveal-dialog.tsx) that asks for one. */
export function useRevealed<T>(reveal: Reveal<T>) {
  const [revealed, setRevealed] = useState<T>();
  const [isAsking, setIsAsking] = useState(false);
  const close = () => {
    setIsAsking(false);
    reveal.reset();
  };
  return {
    revealed,
    mask: () => setRevealed(undefined),
    ask: () => setIsAsking(true),
    isAsking,
    dialog: {
      reveal,
      onClose: close,
      onReveal: (why: RevealRequest) =>
        reveal.mutate(why, {
          onSuccess: (whole) => {
            setRevealed(whole);
            close();
          },
        }),
    },
  };
}
