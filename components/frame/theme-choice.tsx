'use client';
import { Contrast, Monitor, Moon, Sun } from 'lucide-react';
import { useState } from 'react';
import { Button } from '#components/ui/button.tsx';
import { Menu, MenuChoice } from '#components/ui/menu.tsx';
import { readTheme, setTheme, type Theme } from '#lib/client/theme.ts';

const OPTIONS = [
  { value: 'system', label: 'System', icon: <Monitor aria-hidden="true" /> },
  { value: 'light', label: 'Light', icon: <Sun aria-hidden="true" /> },
  { value: 'dark', label: 'Dark', icon: <Moon aria-hidden="true" /> },
] as const;

export function ThemeMenu() {
  return (
    <Menu
      className="min-w-40"
      trigger={
        <Button variant="ghost" size="icon-sm" aria-label="Appearance">
          <Contrast aria-hidden="true" />
        </Button>
      }
    >
      <ThemeChoice />
    </Menu>
  );
}

export function ThemeChoice() {
  const [theme, choose] = useState<Theme>(readTheme);
  return (
    <MenuChoice
      label="Appearance"
      value={theme}
      options={OPTIONS}
      onValueChange={(next) => {
        setTheme(next);
        choose(next);
      }}
    />
  );
}
