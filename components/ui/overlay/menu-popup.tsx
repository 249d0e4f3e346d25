'use client';
import { Menu as Base } from '@base-ui/react/menu';
import { Check } from 'lucide-react';
import Link from 'next/link';
import { cn } from '../cn.ts';
import type { MenuEntry } from './menu-entry.ts';

const popupClass =
  'max-h-(--available-height) min-w-48 origin-(--transform-origin) overflow-y-auto rounded-xl border border-line bg-raised p-1 shadow-pop outline-none transition-[opacity,scale] duration-100 data-ending-style:scale-98 data-starting-style:scale-98 data-ending-style:opacity-0 data-starting-style:opacity-0';

const itemClass =
  'flex min-h-8 cursor-default select-none items-center gap-2.5 rounded-lg px-2.5 py-1 text-sm outline-none data-highlighted:bg-hover data-disabled:text-faint [&_svg]:size-4 [&_svg]:shrink-0 [&_svg]:text-muted';

export type MenuPopupProps = {
  anchor: () => HTMLElement | null;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  entries: readonly MenuEntry[];
  align: 'start' | 'end';
  className?: string;
};

/** The open part of MenuButton. Focus goes back to the button when it closes. */
export function MenuPopup({ anchor, open, onOpenChange, entries, align, className }: MenuPopupProps) {
  return (
    <Base.Root open={open} onOpenChange={onOpenChange}>
      <Base.Portal container={findLandmark(anchor())}>
        <Base.Positioner anchor={anchor} align={align} sideOffset={6} className="z-50 outline-none">
          <Base.Popup finalFocus={anchor} className={cn(popupClass, className)}>
            {entries.map((entry, index) => (
              <Entry key={keyOf(entry, index)} entry={entry} />
            ))}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

/** Inside a landmark, so that what moves from one to the next finds it. */
function findLandmark(anchor: HTMLElement | null): HTMLElement | null {
  return anchor?.closest<HTMLElement>('[role=dialog]') ?? document.querySelector('main');
}

function keyOf(entry: MenuEntry, index: number): string {
  if (entry === 'line') return `line ${index}`;
  return 'label' in entry ? entry.label : 'choice' in entry ? entry.choice : entry.key;
}

function Entry({ entry }: { entry: MenuEntry }) {
  if (entry === 'line') return <Base.Separator className="mx-1 my-1 h-px bg-line" />;
  if ('head' in entry) return <div className="px-2.5 py-2">{entry.head}</div>;
  if ('choice' in entry) return <Choice {...entry} />;
  if ('href' in entry) {
    return (
      <Base.LinkItem closeOnClick render={<Link href={entry.href} />} className={itemClass}>
        {entry.icon}
        {entry.label}
      </Base.LinkItem>
    );
  }
  return (
    <Base.Item
      disabled={entry.reason !== undefined}
      onClick={entry.onSelect}
      className={cn(
        itemClass,
        entry.danger && !entry.reason && 'text-danger-text data-highlighted:bg-danger-soft [&_svg]:text-danger-text',
      )}
    >
      {entry.icon}
      <span className="min-w-0">
        {entry.label}
        {entry.reason ? <span className="block max-w-56 text-muted text-xs">{entry.reason}</span> : null}
      </span>
    </Base.Item>
  );
}

function Choice({ choice, value, options, onChoose }: Extract<MenuEntry, { choice: string }>) {
  return (
    <Base.RadioGroup value={value} onValueChange={onChoose}>
      <Base.GroupLabel className="px-2.5 pt-1.5 pb-1 font-medium text-faint text-xs">{choice}</Base.GroupLabel>
      {options.map((option) => (
        <Base.RadioItem key={option.value} value={option.value} closeOnClick={false} className={itemClass}>
          {option.icon}
          <span className="min-w-0 flex-1 truncate">{option.label}</span>
          <Base.RadioItemIndicator>
            <Check aria-hidden="true" />
          </Base.RadioItemIndicator>
        </Base.RadioItem>
      ))}
    </Base.RadioGroup>
  );
}
