'use client';
import { LogOut, Siren, UserRoundCog } from 'lucide-react';
import { Avatar } from '#components/ui/display/avatar.tsx';
import { MenuButton } from '#components/ui/overlay/menu-button.tsx';
import { signOutHere } from '#lib/client/frame/sign-out.ts';
import { useThemeEntry } from './theme-choice.tsx';

type AccountMenuProps = {
  person: string;
  project: string;
  /** For who may break the glass. */
  onGlass?: () => void;
};

export function AccountMenu({ person, project, onGlass }: AccountMenuProps) {
  const theme = useThemeEntry();
  const head = (
    <div className="flex items-center gap-2.5">
      <Avatar name={person} />
      <div className="min-w-0">
        <p className="truncate font-medium">{person}</p>
        <p className="truncate text-muted text-xs">{project}</p>
      </div>
    </div>
  );
  return (
    <MenuButton
      className="w-60"
      trigger={
        <button type="button" aria-label={`Account of ${person}`} className="rounded-full">
          <Avatar name={person} className="size-7 text-[0.6875rem]" />
        </button>
      }
      entries={() => [
        { head, key: 'person' },
        'line',
        { label: 'Account', icon: <UserRoundCog aria-hidden="true" />, href: '/account' },
        ...(onGlass ? [{ label: 'Emergency access…', icon: <Siren aria-hidden="true" />, onSelect: onGlass }] : []),
        'line',
        theme(),
        'line',
        { label: 'Sign out', icon: <LogOut aria-hidden="true" />, onSelect: () => void signOutHere() },
      ]}
    />
  );
}
