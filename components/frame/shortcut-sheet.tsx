'use client';
import { Dialog } from '#components/ui/dialog.tsx';
import { Kbd } from '#components/ui/kbd.tsx';
import { SCREENS } from './screens.ts';

const PAGE_KEYS = [
  ['Ctrl K', 'Search everything'],
  ['?', 'This sheet'],
  ['/', 'Search the list'],
  ['c', 'Invite people'],
  ['j k', 'Next, previous row'],
  ['x', 'Select the row'],
  ['Enter', 'Open the row'],
  ['Esc', 'Close, then clear the selection'],
] as const;

export function ShortcutSheet({ open, onOpenChange }: { open: boolean; onOpenChange: (open: boolean) => void }) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Keyboard shortcuts"
      description="Single letters rest while you type."
      className="max-w-xl"
    >
      <div className="grid gap-x-8 gap-y-5 sm:grid-cols-2">
        <Group title="Everywhere and in lists" rows={PAGE_KEYS} />
        <Group title="Go to" rows={SCREENS.map((screen) => [`g ${screen.key}`, screen.label] as const)} />
      </div>
    </Dialog>
  );
}

function Group({ title, rows }: { title: string; rows: readonly (readonly [string, string])[] }) {
  return (
    <section>
      <h3 className="mb-1.5 font-medium text-muted text-xs">{title}</h3>
      <dl>
        {rows.map(([keys, text]) => (
          <div key={keys} className="flex min-h-8 items-center gap-3">
            <dt className="flex-1">{text}</dt>
            <dd className="flex gap-1">
              {keys.split(' ').map((key) => (
                <Kbd key={key}>{key}</Kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
