'use client';
import { Contrast } from 'lucide-react';
import { buttonClass } from '#components/ui/button-class.ts';
import { MenuButton } from '#components/ui/overlay/menu-button.tsx';
import { themeEntry } from './theme-entry.tsx';
import { useTheme } from './use-theme.ts';

export function ThemeMenu() {
  const theme = useTheme();
  return (
    <MenuButton
      className="min-w-40"
      trigger={
        <button type="button" aria-label="Appearance" className={buttonClass({ variant: 'ghost', size: 'icon-sm' })}>
          <Contrast aria-hidden="true" />
        </button>
      }
      entries={() => [themeEntry(theme)]}
    />
  );
}
