'use client';
import dynamic from 'next/dynamic';
import { parseAsStringLiteral, useQueryState } from 'nuqs';
import { type ReactNode, useState } from 'react';
import { useUrlSheet } from '#components/frame/use-url-sheet.ts';
import { SheetLoading } from '#components/ui/overlay/loading.tsx';
import { INVITE_MODES, type InviteMode } from './mode.ts';

const InviteSheet = dynamic(() => import('./sheet.tsx').then((module) => module.InviteSheet), {
  ssr: false,
  loading: SheetLoading,
});

/** The sheet that invites, open when the URL says `?invite=one` or `many`. Render `element` once. */
export function useInviteSheet(projectId: string): { open: (mode: InviteMode) => void; element: ReactNode } {
  const [mode, setMode] = useQueryState('invite', parseAsStringLiteral(INVITE_MODES));
  const sheet = useUrlSheet<InviteMode>(setMode);
  // Mounted since it was first open, so that it can leave with its motion, and keeps what was typed while it is shut.
  const [shown, setShown] = useState<InviteMode>();
  if (mode && mode !== shown) setShown(mode);
  const element = shown ? (
    <InviteSheet
      projectId={projectId}
      mode={mode ?? shown}
      open={mode !== null}
      onModeChange={sheet.turn}
      onClose={sheet.close}
    />
  ) : null;
  return { open: sheet.open, element };
}
