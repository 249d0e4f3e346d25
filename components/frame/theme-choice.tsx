'use client';
import { Contrast, Monitor, Moon, Sun } from 'lucide-react';
import { useState } from 'react';
import { buttonClass } from '#components/ui/button-class.ts';
import { MenuButton, type MenuEntry } from '#components/ui/menu-button.tsx';
import { readTheme, setTheme, toTheme } from '#lib/client/theme.ts';

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

/** System, light or dark, as an entry of a menu. The page's theme is read when the menu opens. */
export function useThemeEntry(): () => MenuEntry {
  const [, redraw] = useState(0);
  return () => ({
    choice: 'Appearance',
    value: readTheme(),
    options: OPTIONS,
    onChoose: (next) => {
      setTheme(toTheme(next));
      redraw((count) => count + 1);
    },
  });
}
