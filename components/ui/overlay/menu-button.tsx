'use client';
import { type ComponentProps, cloneElement, type ReactElement, type ReactNode, useRef, useState } from 'react';
import type { MenuEntry } from './menu-entry.ts';
import type { MenuPopupProps } from './menu-popup.tsx';

export type MenuButtonProps = {
  /** A button; it opens the menu on press, Enter, Space and arrow down. */
  trigger: ReactElement<ComponentProps<'button'>>;
  /** Asked for when the menu opens. */
  entries: () => readonly MenuEntry[];
  /** Brings what `entries` needs, with the first press. */
  load?: () => Promise<unknown>;
  align?: 'start' | 'end';
  className?: string;
};

/** A menu whose script comes with the first press. */
export function MenuButton({ trigger, entries, load, align = 'end', className }: MenuButtonProps) {
  const anchor = useRef<HTMLSpanElement>(null);
  const [Popup, setPopup] = useState<(props: MenuPopupProps) => ReactNode>();
  const [open, setOpen] = useState(false);

  function show() {
    setOpen(true);
    if (!Popup) void Promise.all([loadPopup(), load?.()]).then(([module]) => setPopup(() => module.MenuPopup));
  }

  return (
    <span ref={anchor} className="contents">
      {cloneElement(trigger, {
        'aria-haspopup': 'menu',
        'aria-expanded': open,
        onClick: show,
        onPointerEnter: () => void loadPopup(),
        onKeyDown: (event) => {
          if (event.key !== 'ArrowDown') return;
          event.preventDefault();
          show();
        },
      })}
      {Popup ? (
        <Popup
          anchor={() => anchor.current?.querySelector('button') ?? null}
          open={open}
          onOpenChange={setOpen}
          entries={open ? entries() : []}
          align={align}
          className={className}
        />
      ) : null}
    </span>
  );
}

function loadPopup() {
  return import('./menu-popup.tsx');
}
