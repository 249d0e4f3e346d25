'use client';
import { type CSSProperties, type KeyboardEvent, type PointerEvent, type ReactNode, useRef, useState } from 'react';

/** Percent of the width that the first pane has. */
const LEAST = 25;
const MOST = 75;
const STEP = 2;
const LARGE_STEP = 10;

export type SplitProps = {
  /** Names the separator. */
  label: string;
  start: number;
  /** Told when a change has come to its end. */
  onChange: (percent: number) => void;
  /** Where a double click and nothing kept lead. */
  usual: number;
  children: readonly [ReactNode, ReactNode];
};

/**
 * Two panes side by side, and between them what moves their border: dragged, or by the arrows, Page Up and Down, Home and End (ARIA APG, "Window
 * Splitter"). On narrow screens they stand one below the other, and there is nothing to move.
 */
export function Split({ label, start, usual, onChange, children }: SplitProps) {
  const [percent, setPercent] = useState(() => within(start));
  const frame = useRef<HTMLDivElement>(null);
  const set = (next: number) => {
    setPercent(within(next));
    onChange(within(next));
  };
  const toPercent = ({ clientX }: PointerEvent) => {
    const { left, width } = frame.current!.getBoundingClientRect();
    return within(((clientX - left) / width) * 100);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const next = toNext(event.key, percent);
    if (next === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    set(next);
  };
  return (
    <div
      ref={frame}
      style={{ '--split': `${percent}fr`, '--rest': `${100 - percent}fr` } as CSSProperties}
      className="grid grid-cols-[minmax(0,1fr)] gap-y-4 lg:grid-cols-[minmax(0,var(--split))_1.5rem_minmax(0,var(--rest))]"
    >
      {children[0]}
      {/* biome-ignore lint/a11y/useSemanticElements: an <hr> cannot be moved. */}
      <div
        role="separator"
        tabIndex={0}
        aria-label={label}
        aria-orientation="vertical"
        aria-valuenow={Math.round(percent)}
        aria-valuemin={LEAST}
        aria-valuemax={MOST}
        onKeyDown={onKeyDown}
        onDoubleClick={() => set(usual)}
        onPointerDown={(event) => {
          event.preventDefault();
          event.currentTarget.focus();
          event.currentTarget.setPointerCapture(event.pointerId);
        }}
        onPointerMove={(event) => {
          if (event.currentTarget.hasPointerCapture(event.pointerId)) setPercent(toPercent(event));
        }}
        onPointerUp={(event) => {
          if (event.currentTarget.hasPointerCapture(event.pointerId)) onChange(toPercent(event));
        }}
        className="group hidden cursor-col-resize touch-none items-center justify-center rounded-md lg:flex"
      >
        <span
          aria-hidden="true"
          className="h-12 w-1 rounded-full bg-line-strong transition-colors group-hover:bg-accent group-focus-visible:bg-accent"
        />
      </div>
      {children[1]}
    </div>
  );
}

function toNext(key: string, percent: number): number | undefined {
  switch (key) {
    case 'ArrowLeft':
      return percent - STEP;
    case 'ArrowRight':
      return percent + STEP;
    case 'PageUp':
      return percent + LARGE_STEP;
    case 'PageDown':
      return percent - LARGE_STEP;
    case 'Home':
      return LEAST;
    case 'End':
      return MOST;
    default:
      return undefined;
  }
}

function within(percent: number): number {
  return Math.min(MOST, Math.max(LEAST, percent));
}
