'use client';
import { Contrast, Monitor, Moon, Sun } from 'lucide-react';
import { useSyncExternalStore } from 'react';
import { buttonClass } from '#components/ui/button-class.ts';
import { MenuButton } from '#components/ui/overlay/menu-button.tsx';
import type { MenuEntry } from '#components/ui/overlay/menu-entry.ts';
import { readTheme, setTheme, toTheme, watchTheme } from '#lib/client/frame/theme.ts';

const OPTIONS = [
  { value: 'system', label: 'System', icon: <Monitor aria-hidden="true" /> },
  { value: 'light', label: 'Light', icon: <Sun aria-hidden="true" /> },
  { value: 'dark', label: 'Dark', icon: <Moon aria-hidden="true" /> },
] as const;

export function ThemeMenu() {
  const theme = useThemeEntry();
  return (
    <MenuButton
      className="min-w-40"
      trigger={
        <button type="button" aria-label="Appearance" className={buttonClass({ variant: 'ghost', size: 'icon-sm' })}>
          <Contrast aria-hidden="true" />
        </button>
      }
      entries={() => [theme()]}
    />
  );
}

/** System, light or dark, as an entry of a menu. */
export function useThemeEntry(): () => MenuEntry {
  const theme = useSyncExternalStore(watchTheme, readTheme, () => 'system' as const);
  return () => ({
    choice: 'Appearance',
    value: theme,
    options: OPTIONS,
    onChoose: (next) => setTheme(toTheme(next)),
  });
}
