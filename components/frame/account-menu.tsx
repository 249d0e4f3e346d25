'use client';
import { LogOut } from 'lucide-react';
import { Avatar } from '#components/ui/avatar.tsx';
import { Menu, MenuItem, MenuSeparator } from '#components/ui/menu.tsx';
import { signOutHere } from '#lib/client/sign-out.ts';
import { ThemeChoice } from './theme-choice.tsx';

export function AccountMenu({ person, project }: { person: string; project: string }) {
  return (
    <Menu
      className="w-60"
      trigger={
        <button type="button" aria-label={`Account of ${person}`} className="rounded-full">
          <Avatar name={person} className="size-7 text-[0.6875rem]" />
        </button>
      }
    >
      <div className="flex items-center gap-2.5 px-2.5 py-2">
        <Avatar name={person} />
        <div className="min-w-0">
          <p className="truncate font-medium">{person}</p>
          <p className="truncate text-muted text-xs">{project}</p>
        </div>
      </div>
      <MenuSeparator />
      <ThemeChoice />
      <MenuSeparator />
      <MenuItem onClick={() => void signOutHere()}>
        <LogOut aria-hidden="true" />
        Sign out
      </MenuItem>
    </Menu>
  );
}
