'use client';
import { ChevronRight, FileCode2, FileText, Folder } from 'lucide-react';
import { type KeyboardEvent, useEffect, useState } from 'react';
import { cn } from '#components/ui/cn.ts';
import { type TreeRow, toTree } from '#lib/client/bots/files/to-tree.ts';
import { FILES_TREE } from './focus-tree.ts';

export type FileTreeProps = {
  names: readonly string[];
  entry: string;
  /** The one that is open. */
  active: string;
  /** How much is wrong in each. */
  problems: Record<string, number>;
  onOpen: (name: string) => void;
  onRename: (name: string) => void;
  onDelete: (name: string) => void;
};

const KEYS = new Set(['ArrowDown', 'ArrowUp', 'ArrowLeft', 'ArrowRight', 'Home', 'End', 'Enter', ' ', 'F2', 'Delete']);
const isSource = (name: string) => /\.([cm]?[jt]sx?|json)$/.test(name);

/** Files and folders, a tree by the ARIA pattern: arrows, Home and End go about in it, Enter opens, F2 renames, Delete deletes. Packages are closed at first. */
export function FileTree({ names, entry, active, problems, onOpen, onRename, onDelete }: FileTreeProps) {
  const [toggled, setToggled] = useState<ReadonlyMap<string, boolean>>(new Map());
  const [focused, setFocused] = useState<string>();
  const rows = toTree(names, (folder) => toggled.get(folder) ?? !folder.endsWith('node_modules/'));
  const tabbable = [focused, active].find((key) => rows.some((row) => row.key === key)) ?? rows[0]?.key;

  // What is opened from elsewhere, as by an error, is seen.
  useEffect(() => {
    const above = (folder: string) => active.startsWith(folder);
    setToggled((before) => {
      const hidden = [...active.matchAll(/\//g)].map(({ index }) => active.slice(0, index + 1));
      const next = new Map([...before].filter(([folder]) => !above(folder)));
      for (const folder of hidden) if (folder.endsWith('node_modules/')) next.set(folder, true);
      return next;
    });
  }, [active]);

  const toggle = (key: string, isOpen: boolean) => setToggled((before) => new Map(before).set(key, isOpen));
  const focus = (key: string | undefined) => {
    if (key === undefined) return;
    setFocused(key);
    const row = [...document.querySelectorAll<HTMLElement>(`#${FILES_TREE} [role=treeitem]`)];
    row.find(({ dataset }) => dataset.key === key)?.focus();
  };
  const choose = ({ key, isFolder, isOpen }: TreeRow) => (isFolder ? toggle(key, !isOpen) : onOpen(key));
  const onKeyDown = (event: KeyboardEvent, row: TreeRow, index: number) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !KEYS.has(event.key)) return;
    event.preventDefault();
    const { key, isFolder, isOpen, parent } = row;
    if (event.key === 'Enter' || event.key === ' ') return choose(row);
    if (event.key === 'F2' || event.key === 'Delete') {
      if (!isFolder) (event.key === 'F2' ? onRename : onDelete)(key);
      return;
    }
    if (event.key === 'ArrowRight' && isFolder && !isOpen) return toggle(key, true);
    if (event.key === 'ArrowLeft' && isOpen) return toggle(key, false);
    if (event.key === 'ArrowLeft') return focus(parent);
    if (event.key === 'ArrowRight') return isFolder ? focus(rows[index + 1]?.key) : undefined;
    const places: Record<string, number> = { ArrowDown: index + 1, ArrowUp: index - 1, Home: 0, End: rows.length - 1 };
    focus(rows[places[event.key] ?? index]?.key);
  };

  return (
    <div id={FILES_TREE} role="tree" aria-label="Files of this bot" className="min-h-0 flex-1 overflow-auto py-1">
      {rows.map((row, index) => (
        <div
          key={row.key}
          data-key={row.key}
          role="treeitem"
          aria-level={row.level}
          aria-expanded={row.isFolder ? row.isOpen : undefined}
          aria-selected={row.key === active}
          tabIndex={row.key === tabbable ? 0 : -1}
          onKeyDown={(event) => onKeyDown(event, row, index)}
          onFocus={() => setFocused(row.key)}
          onClick={() => choose(row)}
          style={{ paddingLeft: `${row.level * 0.75}rem` }}
          className={cn(
            'flex h-7 cursor-pointer items-center gap-1.5 pr-2 text-[0.8125rem] hover:bg-hover focus-visible:-outline-offset-2 [&_svg]:size-3.5 [&_svg]:shrink-0 [&_svg]:text-muted',
            row.key === active ? 'bg-accent-soft' : '',
          )}
        >
          <Sign row={row} />
          <span className="min-w-0 flex-1 truncate font-mono text-xs" title={row.key}>
            {row.name}
          </span>
          {row.key === entry ? (
            <span className="shrink-0 text-accent-text text-xs">
              entry<span className="sr-only"> point</span>
            </span>
          ) : null}
          {problems[row.key] ? (
            <span className="shrink-0 font-medium text-danger-text text-xs tabular-nums">
              {problems[row.key]}
              <span className="sr-only">{problems[row.key] === 1 ? ' problem' : ' problems'}</span>
            </span>
          ) : null}
        </div>
      ))}
    </div>
  );
}

function Sign({ row: { key, isFolder, isOpen } }: { row: TreeRow }) {
  if (!isFolder) return isSource(key) ? <FileCode2 aria-hidden="true" /> : <FileText aria-hidden="true" />;
  return (
    <>
      <ChevronRight aria-hidden="true" className={cn('transition-transform', isOpen ? 'rotate-90' : '')} />
      <Folder aria-hidden="true" />
    </>
  );
}
