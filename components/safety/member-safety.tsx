'use client';
import dynamic from 'next/dynamic';
import { useState } from 'react';
import type { MemberView } from '#components/member/head.tsx';
import { SettingRow } from '#components/member/setting-row.tsx';
import { Button } from '#components/ui/button.tsx';

const SafetySheet = dynamic(() => import('./safety-sheet.tsx').then((module) => module.SafetySheet), { ssr: false });

/** For an account that may be in wrong hands: what tells so, and what ends it. */
export function MemberSafety(view: MemberView) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <SettingRow
        about={view.member.id}
        title="In wrong hands?"
        action={<Button onClick={() => setOpen(true)}>Look into it</Button>}
      >
        Failed sign-ins, sessions and what was done in their name; lock them out, or end all that the account proves
        itself by.
      </SettingRow>
      {open ? <SafetySheet {...view} onClose={() => setOpen(false)} /> : null}
    </>
  );
}
