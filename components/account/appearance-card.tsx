'use client';
import { Monitor, Moon, Sun } from 'lucide-react';
import { useState, useSyncExternalStore } from 'react';
import { SettingsCard } from '#components/settings/settings-card.tsx';
import { cn } from '#components/ui/cn.ts';
import { Switch } from '#components/ui/form/switch.tsx';
import { setSingleKeys, singleKeysOn } from '#lib/client/frame/shortcuts.ts';
import { readTheme, setTheme, watchTheme } from '#lib/client/frame/theme.ts';

const THEMES = [
  { value: 'system', label: 'Like the system', Icon: Monitor },
  { value: 'light', label: 'Light', Icon: Sun },
  { value: 'dark', label: 'Dark', Icon: Moon },
] as const;

/** Kept on this device. */
export function AppearanceCard() {
  return (
    <SettingsCard id="appearance" title="Appearance and keys" description="Kept in this browser.">
      <ThemeField />
      <ShortcutsField />
    </SettingsCard>
  );
}

const subscribe = () => () => undefined;

function ThemeField() {
  const theme = useSyncExternalStore(watchTheme, readTheme, () => undefined);
  return (
    <fieldset className="grid gap-2 sm:grid-cols-3">
      <legend className="mb-2 font-medium">Theme</legend>
      {THEMES.map(({ value, label, Icon }) => (
        <label
          key={value}
          className={cn(
            'flex h-12 cursor-pointer items-center gap-3 rounded-lg border border-line px-3.5 has-focus-visible:outline-2 has-focus-visible:outline-accent has-focus-visible:outline-offset-2 hover:bg-hover',
            theme === value && 'border-accent bg-accent-soft text-accent-text hover:bg-accent-soft',
          )}
        >
          <input
            type="radio"
            name="theme"
            value={value}
            checked={theme === value}
            onChange={() => setTheme(value)}
            className="sr-only"
          />
          <Icon className="size-4" aria-hidden="true" />
          <span className="font-medium">{label}</span>
        </label>
      ))}
    </fieldset>
  );
}

function ShortcutsField() {
  const stored = useSyncExternalStore(subscribe, singleKeysOn, () => true);
  const [chosen, choose] = useState<boolean>();
  return (
    <div className="mt-6 flex items-center gap-4">
      <span className="flex-1">
        <span id="single-keys" className="block font-medium">
          Single-key shortcuts
        </span>
        <span className="block text-[0.8125rem] text-muted">
          Letters such as “g m” and “?”. Those with Ctrl or Cmd always work.
        </span>
      </span>
      <Switch
        aria-labelledby="single-keys"
        checked={chosen ?? stored}
        onCheckedChange={(on) => {
          setSingleKeys(on);
          choose(on);
        }}
      />
    </div>
  );
}
