'use client';
import { cloneElement, type ReactElement, useId, useRef, useState } from 'react';

const GAP_PX = 6;

type Anchor = { 'aria-describedby'?: string; [event: `on${string}`]: unknown };

/** Without a text there is none, and the child keeps its place (and its focus). */
export type TooltipProps = { text: string | undefined; side?: 'above' | 'right'; children: ReactElement<Anchor> };

/**
 * Extra words on hover and focus, in the top layer; Esc hides them, the pointer may rest on them (WCAG 1.4.13). Never the
 * only place where something is said. The child must take focus by itself if its words are to be reached by key.
 */
export function Tooltip({ text, side = 'above', children }: TooltipProps) {
  const id = useId();
  const bubble = useRef<HTMLSpanElement>(null);
  const [shown, setShown] = useState(false);

  function show(event: { currentTarget: Element }) {
    const node = bubble.current;
    if (!node) return;
    node.showPopover();
    setShown(true);
    place(node, event.currentTarget.getBoundingClientRect(), side);
  }
  function hide() {
    bubble.current?.hidePopover();
    setShown(false);
  }

  return (
    <>
      {cloneElement(children, {
        'aria-describedby': shown && text ? id : undefined,
        onPointerEnter: show,
        onPointerLeave: hide,
        onFocus: show,
        onBlur: hide,
        onKeyDown: (event: { key: string }) => event.key === 'Escape' && hide(),
      })}
      {text ? (
        <span
          ref={bubble}
          id={id}
          role="tooltip"
          popover="manual"
          className="fixed inset-auto m-0 max-w-72 rounded-lg bg-ink px-2.5 py-1.5 text-canvas text-xs shadow-pop"
        >
          {text}
        </span>
      ) : null}
    </>
  );
}

/** Beside the anchor; or above it, or below it where there is no room; never past the edge of the window. */
function place(node: HTMLElement, anchor: DOMRect, side: 'above' | 'right'): void {
  const { width, height } = node.getBoundingClientRect();
  if (side === 'right') {
    node.style.left = `${anchor.right + GAP_PX}px`;
    node.style.top = `${anchor.top + anchor.height / 2 - height / 2}px`;
    return;
  }
  const left = anchor.left + anchor.width / 2 - width / 2;
  const above = anchor.top - height - GAP_PX;
  node.style.left = `${Math.max(GAP_PX, Math.min(left, window.innerWidth - width - GAP_PX))}px`;
  node.style.top = `${above > GAP_PX ? above : anchor.bottom + GAP_PX}px`;
}
