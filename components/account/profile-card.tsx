'use client';
import { useState } from 'react';
import { SettingsCard } from '#components/settings/settings-card.tsx';
import { Button } from '#components/ui/button.tsx';
import { Avatar } from '#components/ui/display/avatar.tsx';
import { Badge } from '#components/ui/display/badge.tsx';
import type { FrameMe } from '#lib/client/frame/me.ts';
import { NameDialog } from './name-dialog.tsx';

export function ProfileCard({ me }: { me: FrameMe }) {
  const { membership, project } = me;
  const [open, setOpen] = useState(false);
  const name = membership.profile.display ?? membership.profile.reference ?? '';
  return (
    <SettingsCard
      id="profile"
      title="Profile"
      description="Your name is yours to change. Records of patients and relatives keep theirs until the project changes them."
      action={<Button onClick={() => setOpen(true)}>Change your name</Button>}
    >
      <div className="flex items-center gap-3">
        <Avatar name={name} className="size-10" />
        <div className="min-w-0">
          <p className="truncate font-medium">{name}</p>
          <p className="truncate text-[0.8125rem] text-muted">
            {membership.profile.reference?.split('/')[0]} in {project.name}
          </p>
        </div>
        <Badge tone={membership.admin ? 'accent' : 'neutral'} className="ml-auto">
          {membership.admin ? 'Admin' : 'Member'}
        </Badge>
      </div>
      {open ? <NameDialog onClose={() => setOpen(false)} /> : null}
    </SettingsCard>
  );
}
