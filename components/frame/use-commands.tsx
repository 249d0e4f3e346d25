'use client';
import { Contrast, Keyboard, LogOut, UserRoundCog, UserRoundPlus, UsersRound } from 'lucide-react';
import { type ReactNode, useDeferredValue } from 'react';
import { Avatar } from '#components/ui/display/avatar.tsx';
import { signOutHere } from '#lib/client/frame/sign-out.ts';
import { readTheme, setTheme } from '#lib/client/frame/theme.ts';
import { type FoundMember, useMemberLookup } from '#lib/client/members/lookup.ts';
import { hasAdmin, SCREENS, type Screen } from './screens.ts';

export type Command = {
  id: string;
  label: string;
  /** What kind of thing it is, on the right. */
  hint: string;
  icon: ReactNode;
  href?: string;
  run?: () => void;
};

/** What fits `text`: screens and actions at once, people and bots from the server. */
export function useCommands(projectId: string, usable: readonly Screen[], text: string, onShortcuts: () => void) {
  const words = text.trim().toLowerCase();
  // Looking people up is an administrator's.
  const isAdmin = hasAdmin(usable);
  const lookup = useMemberLookup(projectId, useDeferredValue(isAdmin ? words : ''));
  const own = [...screens(projectId, usable), ...(isAdmin ? invitations(projectId) : []), ...actions(onShortcuts)];
  const fitting = own.filter((command) =>
    words.split(/\s+/).every((word) => command.label.toLowerCase().includes(word)),
  );
  const found = words ? (lookup.data ?? []).map((member) => toCommand(projectId, member)) : [];
  return {
    commands: [...fitting, ...found.filter((command) => command !== undefined)],
    searching: words !== '' && lookup.isFetching,
  };
}

function screens(projectId: string, usable: readonly Screen[]): Command[] {
  return usable.map((screen) => ({
    id: `screen ${screen.path}`,
    label: screen.label,
    hint: `g ${screen.key}`,
    icon: <screen.icon aria-hidden="true" />,
    href: `/p/${projectId}${screen.path}`,
  }));
}

function invitations(projectId: string): Command[] {
  const members = `/p/${projectId}/members`;
  return [
    { id: 'invite', label: 'Invite a person', hint: 'Action', icon: <UserRoundPlus />, href: `${members}?invite=one` },
    {
      id: 'many',
      label: 'Invite many from a CSV',
      hint: 'Action',
      icon: <UsersRound />,
      href: `${members}?invite=many`,
    },
  ];
}

function actions(onShortcuts: () => void): Command[] {
  return [
    { id: 'account', label: 'Account', hint: 'Yours', icon: <UserRoundCog aria-hidden="true" />, href: '/account' },
    {
      id: 'theme',
      label: 'Switch between light and dark',
      hint: 'Action',
      icon: <Contrast aria-hidden="true" />,
      run: () => setTheme(isDark() ? 'light' : 'dark'),
    },
    { id: 'keys', label: 'Keyboard shortcuts', hint: '?', icon: <Keyboard aria-hidden="true" />, run: onShortcuts },
    {
      id: 'out',
      label: 'Sign out',
      hint: 'Action',
      icon: <LogOut aria-hidden="true" />,
      run: () => void signOutHere(),
    },
  ];
}

function isDark(): boolean {
  const theme = readTheme();
  return theme === 'system' ? window.matchMedia('(prefers-color-scheme: dark)').matches : theme === 'dark';
}

/** Programs open in their own screens, where those exist. */
function toCommand(projectId: string, member: FoundMember): Command | undefined {
  const [type = '', id] = member.profile.split('/');
  const home = `/p/${projectId}`;
  const program = { Bot: '/bots', ClientApplication: '/clients' }[type];
  if (program && !SCREENS.some((screen) => screen.path === program)) return undefined;
  return {
    id: member.id,
    label: member.name,
    hint: program ? (type === 'Bot' ? 'Bot' : 'Client') : (member.email ?? type),
    icon: <Avatar name={member.name} className="size-6 text-[0.625rem]" />,
    href: program ? `${home}${program}/${id}` : `${home}/members/${member.id}`,
  };
}
