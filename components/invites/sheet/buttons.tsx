'use client';
import { UserRoundPlus } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '#components/ui/button.tsx';
import { warm } from '#components/ui/overlay/warm.ts';
import type { InviteMode } from './mode.ts';

const warmSheet = warm(() => import('./sheet.tsx'));

export function InviteButtons({ open, more }: { open: (mode: InviteMode) => void; more?: ReactNode }) {
  return (
    <>
      {more}
      <Button {...warmSheet} onClick={() => open('many')} className="max-sm:hidden">
        Invite many
      </Button>
      <Button variant="primary" {...warmSheet} onClick={() => open('one')}>
        <UserRoundPlus aria-hidden="true" />
        Invite
      </Button>
    </>
  );
}
