'use client';
import dynamic from 'next/dynamic';
import { useState } from 'react';
import { Button } from '#components/ui/button.tsx';
import { DialogLoading } from '#components/ui/overlay/loading.tsx';
import { useMe } from '#lib/client/frame/me.ts';

const GlassDialog = dynamic(() => import('./glass-dialog.tsx').then((module) => module.GlassDialog), {
  ssr: false,
  loading: DialogLoading,
});

/** Where a policy closes a door: the way in an emergency, for who may, and has not taken it yet. */
export function GlassButton() {
  const glass = useMe().data?.breakGlass;
  const [asking, setAsking] = useState(false);
  if (!glass?.may || glass.open) return null;
  return (
    <>
      <Button onClick={() => setAsking(true)}>Emergency access…</Button>
      {asking ? <GlassDialog minutes={glass.minutes ?? 60} onClose={() => setAsking(false)} /> : null}
    </>
  );
}
