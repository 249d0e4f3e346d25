'use client';
import { ChevronRight } from 'lucide-react';
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react';
import { cn } from '#components/ui/cn.ts';
import { useHl7Names } from '#lib/client/bots/hl7/names.ts';
import { type Hl7Part, outlineHl7 } from '#lib/client/bots/hl7/outline.ts';

export type Hl7TreeProps = {
  text: string;
  /** Where the caret stands in the text: its part is marked. */
  caret: number;
  /** A part was chosen: its text is to be shown. */
  onChoose: (part: Hl7Part) => void;
};

const KEYS = new Set(['ArrowDown', 'ArrowUp', 'ArrowLeft', 'ArrowRight', 'Home', 'End', 'Enter', ' ']);

type Row = { part: Hl7Part; level: number; parent?: string };

/** The segments of a message with the names that HL7 v2.5.1 gives them: a tree by the ARIA pattern, arrows and all. */
export function Hl7Tree({ text, caret, onChoose }: Hl7TreeProps) {
  const names = useHl7Names();
  const outline = useMemo(() => outlineHl7(text), [text]);
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const [active, setActive] = useState<string>();
  const tree = useRef<HTMLDivElement>(null);
  const rows = outline.flatMap((part) => toRows(part, open));
  const marked = rows.findLast(({ part: { from, to } }) => from <= caret && caret <= to)?.part.key;
  const tabbable = rows.find(({ part }) => part.key === active)?.part.key ?? rows[0]?.part.key;

  useEffect(() => {
    const row = marked && tree.current?.querySelector<HTMLElement>(`[data-key="${marked}"]`);
    if (row && !tree.current!.contains(document.activeElement)) showWithin(tree.current!, row);
  }, [marked]);

  const toggle = (key: string, isOpen: boolean) =>
    setOpen((before) => {
      const next = new Set(before);
      if (isOpen) next.add(key);
      else next.delete(key);
      return next;
    });
  const focus = (key: string | undefined) => {
    if (key === undefined) return;
    setActive(key);
    tree.current?.querySelector<HTMLElement>(`[data-key="${key}"]`)?.focus();
  };
  const onKeyDown = (event: KeyboardEvent, { part, parent }: Row, index: number) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const isOpen = open.has(part.key);
    if (!KEYS.has(event.key)) return;
    event.preventDefault();
    if (event.key === 'Enter' || event.key === ' ') return onChoose(part);
    if (event.key === 'ArrowRight' && !isOpen && part.parts.length > 0) return toggle(part.key, true);
    if (event.key === 'ArrowLeft' && isOpen) return toggle(part.key, false);
    const inner = event.key === 'ArrowRight' ? part.parts[0]?.key : parent;
    focus(event.key === 'ArrowRight' || event.key === 'ArrowLeft' ? inner : keyAt(rows, event.key, index));
  };

  if (rows.length === 0) return <p className="px-4 py-3 text-muted text-xs">The segments of the message show here.</p>;
  return (
    <div ref={tree} role="tree" aria-label="Segments of the message" className="relative h-full overflow-auto py-1">
      {rows.map((row, index) => {
        const { part, level } = row;
        const isOpen = open.has(part.key);
        return (
          <div
            key={part.key}
            data-key={part.key}
            role="treeitem"
            aria-level={level}
            aria-expanded={part.parts.length > 0 ? isOpen : undefined}
            aria-selected={part.key === marked}
            tabIndex={part.key === tabbable ? 0 : -1}
            onKeyDown={(event) => onKeyDown(event, row, index)}
            onFocus={() => setActive(part.key)}
            onClick={() => onChoose(part)}
            style={{ paddingLeft: `${level * 0.875 - 0.375}rem` }}
            className={cn(
              'flex h-6 cursor-pointer items-center gap-1.5 pr-3 text-xs hover:bg-hover focus-visible:-outline-offset-2',
              part.key === marked ? 'bg-accent-soft' : '',
            )}
          >
            <Toggle hidden={part.parts.length === 0} isOpen={isOpen} onPress={() => toggle(part.key, !isOpen)} />
            <code className="shrink-0 font-medium font-mono">{part.path}</code>
            <span className="shrink-0 text-muted">{names?.(part.segment, part.field, part.component)}</span>
            {level > 1 ? <span className="min-w-0 truncate font-mono">{part.value}</span> : null}
          </div>
        );
      })}
    </div>
  );
}

function keyAt(rows: readonly Row[], key: string, index: number): string | undefined {
  const places: Record<string, number> = { ArrowDown: index + 1, ArrowUp: index - 1, Home: 0, End: rows.length - 1 };
  return rows[places[key] ?? index]?.part.key;
}

/** For the pointer; by key, the arrows do it. */
function Toggle({ hidden, isOpen, onPress }: { hidden: boolean; isOpen: boolean; onPress: () => void }) {
  return (
    <span
      aria-hidden="true"
      onClick={(event) => {
        event.stopPropagation();
        onPress();
      }}
      className={cn('-my-1 grid size-6 shrink-0 place-items-center', hidden ? 'invisible' : '')}
    >
      <ChevronRight className={cn('size-3.5 text-muted transition-transform', isOpen ? 'rotate-90' : '')} />
    </span>
  );
}

function toRows(part: Hl7Part, open: ReadonlySet<string>, level = 1, parent?: string): Row[] {
  const rows: Row[] = [{ part, level, parent }];
  if (open.has(part.key)) for (const inner of part.parts) rows.push(...toRows(inner, open, level + 1, part.key));
  return rows;
}

/** Scrolls the tree alone: the page stays where it is. */
function showWithin(frame: HTMLElement, row: HTMLElement): void {
  const [top, bottom] = [row.offsetTop, row.offsetTop + row.offsetHeight];
  if (top < frame.scrollTop) frame.scrollTop = top;
  else if (bottom > frame.scrollTop + frame.clientHeight) frame.scrollTop = bottom - frame.clientHeight;
}
