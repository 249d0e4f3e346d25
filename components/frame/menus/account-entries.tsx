import { LogOut, Siren, UserRoundCog } from 'lucide-react';
import { Avatar } from '#components/ui/display/avatar.tsx';
import type { MenuEntry } from '#components/ui/overlay/menu-entry.ts';
import { signOutHere } from '#lib/client/frame/sign-out.ts';
import type { Theme } from '#lib/client/frame/theme.ts';
import { themeEntry } from './theme-entry.tsx';

export type AccountEntriesProps = {
  person: string;
  project: string;
  theme: Theme;
  /** For who may break the glass. */
  onGlass?: () => void;
};

/** What stands in the menu of one's account. */
export function accountEntries({ person, project, theme, onGlass }: AccountEntriesProps): MenuEntry[] {
  const head = (
    <div className="flex items-center gap-2.5">
      <Avatar name={person} />
      <div className="min-w-0">
        <p className="truncate font-medium">{person}</p>
        <p className="truncate text-muted text-xs">{project}</p>
      </div>
    </div>
  );
  return [
    { head, key: 'person' },
    'line',
    { label: 'Account', icon: <UserRoundCog aria-hidden="true" />, href: '/account' },
    ...(onGlass
      ? [{ label: 'Emergency access…', icon: <Siren aria-hidden="true" />, onSelect: onGlass } as const]
      : []),
    'line',
    themeEntry(theme),
    'line',
    { label: 'Sign out', icon: <LogOut aria-hidden="true" />, onSelect: () => void signOutHere() },
  ];
}
