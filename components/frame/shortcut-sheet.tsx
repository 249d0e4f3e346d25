'use client';
import { Kbd } from '#components/ui/display/kbd.tsx';
import { Dialog } from '#components/ui/overlay/dialog.tsx';
import { useModKey } from '#components/ui/use-mod-key.ts';
import { singleKeysOn } from '#lib/client/frame/shortcuts.ts';
import { hasAdmin, type Screen } from './screens.ts';

const EVERYWHERE = [
  ['Mod K', 'Search everything'],
  ['?', 'This sheet'],
  ['[', 'Collapse the navigation'],
  ['Esc', 'Close, then clear the selection'],
] as const;

const LISTS = [
  ['j k', 'Next, previous row; on a row also ↓ ↑'],
  ['Enter', 'Open the row'],
  ['Space', 'Peek at the row'],
  ['e', 'Edit the row'],
  ['x', 'Select the row'],
  ['Shift x', 'Select up to the row'],
  ['/', 'Search the list'],
  ['f', 'Go to the filters'],
  ['c', 'New: invite, bot or client'],
] as const;

const BOT = [
  ['Mod S', 'Save the draft'],
  ['Mod Enter', 'Run'],
  ['Mod Shift Enter', 'Deploy'],
] as const;

export type ShortcutSheetProps = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** What this person can use. */
  screens: readonly Screen[];
};

export function ShortcutSheet({ open, onOpenChange, screens }: ShortcutSheetProps) {
  const mod = useModKey();
  const isAdmin = hasAdmin(screens);
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Keyboard shortcuts"
      description={
        singleKeysOn()
          ? 'Single keys rest while you type. Account can switch them off.'
          : `Single keys are switched off in Account; those with ${mod} work.`
      }
      className="max-w-2xl"
    >
      <section
        // biome-ignore lint/a11y/noNoninteractiveTabindex: on a phone it scrolls, and must be reachable by key (WCAG 2.1.1).
        tabIndex={0}
        aria-label="All shortcuts"
        className="-m-2 grid gap-x-10 gap-y-5 rounded-lg p-2 sm:grid-cols-2"
      >
        <div className="flex flex-col gap-5">
          <Group title="Everywhere" rows={EVERYWHERE} />
          <Group title="Go to" rows={screens.map((screen) => [`g ${screen.key}`, screen.label] as const)} />
        </div>
        {isAdmin ? (
          <div className="flex flex-col gap-5">
            <Group title="In lists" rows={LISTS} />
            <Group title="In a bot" rows={BOT} />
          </div>
        ) : null}
      </section>
    </Dialog>
  );
}

function Group({ title, rows }: { title: string; rows: readonly (readonly [string, string])[] }) {
  const mod = useModKey();
  return (
    <section>
      <h3 className="mb-1.5 font-medium text-muted text-xs">{title}</h3>
      <dl>
        {rows.map(([keys, text]) => (
          <div key={keys} className="flex min-h-8 items-center gap-3">
            <dt className="flex-1">{text}</dt>
            <dd className="flex shrink-0 gap-1">
              {keys.split(' ').map((key) => (
                <Kbd key={key}>{key === 'Mod' ? mod : key}</Kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
