'use client';
import { Dialog as Base } from '@base-ui/react/dialog';
import { Search } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { type KeyboardEvent, useState } from 'react';
import { cn } from '#components/ui/cn.ts';
import { Kbd } from '#components/ui/display/kbd.tsx';
import { useReturnFocus } from '#components/ui/overlay/use-return-focus.ts';
import type { Screen } from './screens.ts';
import { type Command, useCommands } from './use-commands.tsx';

export type CommandPaletteProps = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  projectId: string;
  /** What this person can use. */
  screens: readonly Screen[];
  onShortcuts: () => void;
};

/** Screens, people, bots and actions, by a few letters of their name. */
export function CommandPalette({ open, onOpenChange, projectId, screens, onShortcuts }: CommandPaletteProps) {
  const giveBack = useReturnFocus();
  return (
    <Base.Root open={open} onOpenChange={onOpenChange} onOpenChangeComplete={giveBack}>
      <Base.Portal>
        <Base.Backdrop className="fixed inset-0 z-40 bg-scrim transition-opacity duration-150 data-ending-style:opacity-0 data-starting-style:opacity-0" />
        <Base.Popup className="-translate-x-1/2 fixed top-[12vh] left-1/2 z-50 flex max-h-[70vh] w-[calc(100vw-2rem)] max-w-xl flex-col overflow-hidden rounded-2xl border border-line bg-raised shadow-sheet outline-none transition-[opacity,scale] duration-100 data-ending-style:scale-98 data-starting-style:scale-98 data-ending-style:opacity-0 data-starting-style:opacity-0">
          <Base.Title className="sr-only">Search</Base.Title>
          <Palette
            projectId={projectId}
            screens={screens}
            onShortcuts={onShortcuts}
            close={() => onOpenChange(false)}
          />
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}

type PaletteProps = { projectId: string; screens: readonly Screen[]; onShortcuts: () => void; close: () => void };

function Palette({ projectId, screens, onShortcuts, close }: PaletteProps) {
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const router = useRouter();
  const { commands, searching } = useCommands(projectId, screens, text, onShortcuts);
  const current = commands[Math.min(at, commands.length - 1)];

  function choose(command: Command | undefined) {
    if (!command) return;
    close();
    if (command.href) router.push(command.href);
    command.run?.();
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.key === 'Enter') {
      event.preventDefault();
      choose(current);
    }
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step === 0 || commands.length === 0) return;
    event.preventDefault();
    const next = (Math.min(at, commands.length - 1) + step + commands.length) % commands.length;
    setAt(next);
    document.getElementById(`command-${next}`)?.scrollIntoView({ block: 'nearest' });
  }

  return (
    <>
      <div className="flex items-center gap-3 border-line border-b px-4">
        <Search className="size-4 shrink-0 text-muted" aria-hidden="true" />
        <input
          role="combobox"
          aria-label="Search screens, people and actions"
          aria-expanded={commands.length > 0}
          aria-controls="commands"
          aria-autocomplete="list"
          aria-activedescendant={current ? `command-${commands.indexOf(current)}` : undefined}
          placeholder="Search screens, people and actions"
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            setAt(0);
          }}
          onKeyDown={onKeyDown}
          spellCheck={false}
          className="h-12 min-w-0 flex-1 bg-transparent text-base outline-none placeholder:text-faint"
        />
        <Kbd>Esc</Kbd>
      </div>
      <div id="commands" role="listbox" aria-label="Results" aria-busy={searching} className="overflow-y-auto p-1.5">
        {commands.map((command, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the combobox above has the keyboard (ARIA combobox pattern).
          // biome-ignore lint/a11y/useFocusableInteractive: aria-activedescendant points at it instead.
          <div
            key={command.id}
            id={`command-${index}`}
            role="option"
            aria-selected={command === current}
            onPointerMove={() => setAt(index)}
            onClick={() => choose(command)}
            className={cn(
              'flex min-h-10 cursor-default items-center gap-3 rounded-lg px-3 [&_svg]:size-4 [&_svg]:text-muted',
              command === current && 'bg-hover',
            )}
          >
            {command.icon}
            <span className="min-w-0 flex-1 truncate">{command.label}</span>
            <span className="shrink-0 text-muted text-xs">{command.hint}</span>
          </div>
        ))}
      </div>
      {commands.length === 0 ? (
        <p role="status" className="px-6 py-8 text-center text-muted">
          {searching ? 'Searching…' : `Nothing here is called “${text}”`}
        </p>
      ) : null}
    </>
  );
}
