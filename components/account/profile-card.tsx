import { SettingsCard } from '#components/settings/settings-card.tsx';
import { Avatar } from '#components/ui/display/avatar.tsx';
import { Badge } from '#components/ui/display/badge.tsx';
import type { FrameMe } from '#lib/client/frame/me.ts';

export function ProfileCard({ me }: { me: FrameMe }) {
  const { membership, project } = me;
  const name = membership.profile.display ?? membership.profile.reference ?? '';
  return (
    <SettingsCard id="profile" title="Profile" description="Your name is changed by an administrator of the project.">
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
    </SettingsCard>
  );
}
