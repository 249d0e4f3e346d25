'use client';
import { UserRoundPlus } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '#components/ui/button.tsx';
import type { InviteMode } from './mode.ts';

export function InviteButtons({ open, more }: { open: (mode: InviteMode) => void; more?: ReactNode }) {
  return (
    <>
      {more}
      <Button onClick={() => open('many')} className="max-sm:hidden">
        Invite many
      </Button>
      <Button variant="primary" onClick={() => open('one')}>
        <UserRoundPlus aria-hidden="true" />
        Invite
      </Button>
    </>
  );
}
