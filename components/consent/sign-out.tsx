'use client';
import Link from 'next/link';
import { useState } from 'react';
import { Button } from '#components/ui/button.tsx';
import { buttonClass } from '#components/ui/button-class.ts';
import { signOutHere } from '#lib/client/frame/sign-out.ts';
import { DoorHeading } from '../door/door-heading.tsx';

export function SignOut() {
  const [busy, setBusy] = useState(false);
  function signOut() {
    setBusy(true);
    void signOutHere().catch(() => setBusy(false));
  }
  return (
    <>
      <DoorHeading title="Sign out?">
        Your session in this browser ends. Apps that you let in have their own.
      </DoorHeading>
      <div className="flex flex-col gap-3">
        <Button variant="primary" size="lg" busy={busy} onClick={signOut}>
          Sign out
        </Button>
        <Link href="/p" className={buttonClass({ size: 'lg' })}>
          Stay signed in
        </Link>
      </div>
    </>
  );
}
