import { Monitor, Moon, Sun } from 'lucide-react';
import type { MenuEntry } from '#components/ui/overlay/menu-entry.ts';
import { setTheme, type Theme, toTheme } from '#lib/client/frame/theme.ts';

const OPTIONS = [
  { value: 'system', label: 'System', icon: <Monitor aria-hidden="true" /> },
  { value: 'light', label: 'Light', icon: <Sun aria-hidden="true" /> },
  { value: 'dark', label: 'Dark', icon: <Moon aria-hidden="true" /> },
] as const;

/** System, light or dark, as an entry of a menu. */
export function themeEntry(theme: Theme): MenuEntry {
  return {
    choice: 'Appearance',
    value: theme,
    options: OPTIONS,
    onChoose: (next) => setTheme(toTheme(next)),
  };
}
