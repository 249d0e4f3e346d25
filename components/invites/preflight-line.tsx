// biome-ignore-all lint/a11y/useSemanticElements: rows that are not drawn cannot be in a table element.
// biome-ignore-all lint/a11y/useFocusableInteractive: rows and heads of a table take no focus.
'use client';
import type { CSSProperties } from 'react';
import { Badge } from '#components/ui/badge.tsx';
import { cn } from '#components/ui/cn.ts';
import type { COLUMNS } from '#lib/client/invite-rows.ts';
import type { PreflightClass, PreflightRow } from '#lib/client/preflight.ts';
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
  style: CSSProperties;
};

/** A row of the list. One that would be refused shows why, and its cells can be written in. */
export function PreflightLine({ verdict, many, columns, index, style }: PreflightLineProps) {
  const cells = many.rows[verdict.row];
  const changed = many.edited.has(verdict.row);
  const open = verdict.action === 'refuse' || changed;
  const faulty = new Set(verdict.issues.map(({ expression }) => expression?.split('.')[0]));
  if (!cells) return null;
  return (
    <div
      role="row"
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
      <span role="cell" className="min-w-0 px-2">
        {changed ? (
          <Badge>Not checked yet</Badge>
        ) : verdict.issues.length > 0 ? (
          <span
            className="line-clamp-2 text-[0.8125rem] text-danger-text leading-4"
            title={verdict.issues.map(({ text }) => text).join('. ')}
          >
            {verdict.issues.map(({ text }) => text).join('. ')}
          </span>
        ) : (
          <Badge tone={verdict.action === 'update' ? 'info' : 'good'}>{WORDS[verdict.class]}</Badge>
        )}
      </span>
    </div>
  );
}
