// biome-ignore-all lint/a11y/useSemanticElements: rows that are not drawn cannot be in a table element.
// biome-ignore-all lint/a11y/useFocusableInteractive: rows and heads of a table take no focus.
'use client';
import type { CSSProperties } from 'react';
import { cn } from '#components/ui/cn.ts';
import { Badge } from '#components/ui/display/badge.tsx';
import type { COLUMNS } from '#lib/client/invites/rows.ts';
import type { PreflightClass, PreflightRow } from '#lib/protocol/answers/preflight.ts';
import type { InviteManyState } from './use-invite-many.ts';

const WORDS: Record<PreflightClass, string> = {
  'new-person': 'New person',
  'existing-login': 'Has a login already',
  'already-member': 'Already a member',
  'profile-match': 'Record found by e-mail',
  'several-profiles': 'Several records fit',
  'duplicate-row': 'Twice in this list',
  'bad-field': 'Needs a look',
};

export type PreflightLineProps = {
  verdict: PreflightRow;
  many: InviteManyState;
  columns: readonly (typeof COLUMNS)[number][];
  index: number;
  /** Takes the height of the row, which is as high as what is wrong with it is long. */
  measure: (node: HTMLElement | null) => void;
  style: CSSProperties;
};

/** A row of the list. One that would be refused shows why, and its cells can be written in. */
export function PreflightLine({ verdict, many, columns, index, measure, style }: PreflightLineProps) {
  const cells = many.rows[verdict.row];
  const changed = many.edited.has(verdict.row);
  const open = verdict.action === 'refuse' || changed;
  const faulty = new Set(verdict.issues.map(({ expression }) => expression?.split('.')[0]));
  const reasons = verdict.issues.length > 0 ? `reasons-${verdict.row}` : undefined;
  if (!cells) return null;
  return (
    <div
      role="row"
      ref={measure}
      data-index={index}
      aria-rowindex={index + 2}
      style={style}
      className={cn(
        'absolute inset-x-0 top-0 grid items-center border-line border-b',
        verdict.action === 'refuse' && !changed && 'bg-danger-soft/50',
      )}
    >
      <span role="cell" className="px-2 text-right text-muted text-xs tabular-nums">
        {verdict.row + 1}
      </span>
      {columns.map(({ key, label }) => (
        <span key={key} role="cell" className="min-w-0 px-1">
          {open ? (
            <input
              aria-label={`${label}, row ${verdict.row + 1}`}
              aria-invalid={faulty.has(key) && !changed}
              aria-describedby={reasons}
              value={cells[key]}
              onChange={(event) => many.edit(verdict.row, key, event.target.value)}
              spellCheck={false}
              className="h-8 w-full rounded-md border border-line bg-surface px-1.5 text-[0.8125rem] aria-invalid:border-danger"
            />
          ) : (
            <span className="block truncate px-1.5 text-[0.8125rem]">{cells[key]}</span>
          )}
        </span>
      ))}
      <span role="cell" className="min-w-0 px-2 py-1.5">
        {changed ? <Badge>Not checked yet</Badge> : null}
        {reasons ? (
          <span
            id={reasons}
            className={cn('block text-[0.8125rem] leading-4', changed ? 'text-muted' : 'text-danger-text')}
          >
            {verdict.issues.map(({ text }) => (
              <span key={text} className="block py-0.5">
                {text}
              </span>
            ))}
          </span>
        ) : changed ? null : (
          <Badge tone={verdict.action === 'update' ? 'info' : 'good'}>{WORDS[verdict.class]}</Badge>
        )}
      </span>
    </div>
  );
}
