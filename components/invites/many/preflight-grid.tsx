// biome-ignore-all lint/a11y/useSemanticElements: rows that are not drawn cannot be in a table element.
// biome-ignore-all lint/a11y/useFocusableInteractive: rows and heads of a table take no focus.
'use client';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useRef, useState } from 'react';
import { COLUMNS } from '#lib/client/invites/rows.ts';
import type { PreflightRow } from '#lib/protocol/answers/preflight.ts';
import { PreflightLine } from './preflight-line.tsx';
import type { InviteManyState } from './use-invite-many.ts';

const ROW_PX = 52;

type View = 'all' | PreflightRow['action'];
const VIEWS: readonly [View, string][] = [
  ['all', 'All'],
  ['refuse', 'To fix or leave out'],
  ['create', 'Will be invited'],
  ['update', 'Will be updated'],
];

/** Every row with what would become of it; what cannot be invited can be put right in place. Only the rows in sight are drawn. */
export function PreflightGrid({ many }: { many: InviteManyState }) {
  // What is to be put right comes first, if there is any.
  const [chosen, setView] = useState<View>('refuse');
  const scroller = useRef<HTMLDivElement>(null);
  const all = many.verdict?.rows ?? [];
  const countOf = (view: View) => all.filter(({ action }) => view === 'all' || action === view).length;
  // The last of a view was put right: the view has gone with it.
  const view = countOf(chosen) === 0 ? 'all' : chosen;
  // A row that is being put right stays where it is.
  const rows = view === 'all' ? all : all.filter(({ action, row }) => action === view || many.edited.has(row));
  const columns = COLUMNS.filter(({ key }) => many.columns.includes(key));
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    overscan: 8,
    // A row that is put right keeps its height when the list around it changes.
    getItemKey: (index) => rows[index]?.row ?? index,
    initialRect: { width: 900, height: 480 },
  });
  const template = { gridTemplateColumns: `3rem repeat(${columns.length}, minmax(7rem, 1fr)) minmax(13rem, 1.6fr)` };
  return (
    <>
      <div className="flex flex-wrap gap-1">
        {VIEWS.map(([value, label]) => {
          const count = countOf(value);
          return count === 0 && value !== 'all' ? null : (
            <button
              key={value}
              type="button"
              aria-pressed={view === value}
              onClick={() => setView(value)}
              className="h-8 rounded-lg px-2.5 font-medium text-[0.8125rem] text-muted hover:text-ink aria-pressed:bg-sunken aria-pressed:text-ink aria-pressed:ring-1 aria-pressed:ring-line aria-pressed:ring-inset"
            >
              {label} <span className="tabular-nums">{count.toLocaleString('en')}</span>
            </button>
          );
        })}
      </div>
      <div
        ref={scroller}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by key (WCAG 2.1.1).
        tabIndex={0}
        className="h-[52vh] min-h-64 overflow-auto rounded-xl border border-line bg-surface focus-visible:-outline-offset-2"
      >
        <div role="table" aria-label="Rows of the list" aria-rowcount={rows.length + 1} className="min-w-180">
          <div
            role="row"
            aria-rowindex={1}
            style={template}
            className="sticky top-0 z-10 grid h-9 items-center border-line border-b bg-sunken font-medium text-muted text-xs"
          >
            {['', ...columns.map(({ label }) => label), 'What would happen'].map((label) => (
              <span key={label} role="columnheader" className="truncate px-2">
                {label || <span className="sr-only">Row</span>}
              </span>
            ))}
          </div>
          <div role="rowgroup" className="relative" style={{ height: virtual.getTotalSize() }}>
            {virtual.getVirtualItems().map((item) => {
              const verdict = rows[item.index];
              return verdict ? (
                <PreflightLine
                  key={verdict.row}
                  verdict={verdict}
                  many={many}
                  columns={columns}
                  index={item.index}
                  measure={virtual.measureElement}
                  style={{ ...template, minHeight: ROW_PX, transform: `translateY(${item.start}px)` }}
                />
              ) : null;
            })}
          </div>
        </div>
      </div>
    </>
  );
}
