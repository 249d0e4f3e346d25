'use client';
import { useState } from 'react';
import { Avatar } from '#components/ui/display/avatar.tsx';
import { MenuButton } from '#components/ui/overlay/menu-button.tsx';
import type { AccountEntriesProps } from './account-entries.tsx';
import { useTheme } from './use-theme.ts';

/** One's own menu. What stands in it comes with the first press. */
export function AccountMenu(props: Omit<AccountEntriesProps, 'theme'>) {
  const theme = useTheme();
  const [inside, setInside] = useState<typeof import('./account-entries.tsx')>();
  return (
    <MenuButton
      className="w-60"
      trigger={
        <button type="button" aria-label={`Account of ${props.person}`} className="rounded-full">
          <Avatar name={props.person} className="size-7 text-[0.6875rem]" />
        </button>
      }
      load={() => import('./account-entries.tsx').then(setInside)}
      entries={() => inside?.accountEntries({ ...props, theme }) ?? []}
    />
  );
}
