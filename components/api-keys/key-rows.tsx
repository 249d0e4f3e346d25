'use client';
import { Button } from '#components/ui/button.tsx';
import { Badge } from '#components/ui/display/badge.tsx';
import { ListRow } from '#components/ui/display/list-row.tsx';
import { Time } from '#components/ui/display/time.tsx';
import type { ApiKeyRow } from '#lib/protocol/api-keys/answers.ts';

export type KeyRowsProps = { rows: readonly ApiKeyRow[]; onEnd: (row: ApiKeyRow) => void };

/** Keys with what they open, when they end and when they were last used. */
export function KeyRows({ rows, onEnd }: KeyRowsProps) {
  return (
    <ul aria-label="API keys" className="divide-y divide-line">
      {rows.map((row) => (
        <ListRow key={row.id} about={row.id} className="flex min-h-14 flex-wrap items-center gap-x-3 gap-y-1 py-2">
          <div className="min-w-0 flex-1 basis-56">
            <p className="flex min-w-0 items-center gap-2">
              <span className="truncate font-medium">{row.name}</span>
              <span className="font-mono text-muted text-xs">…{row.hint}</span>
              {Date.parse(row.expiresAt) <= Date.now() ? <Badge tone="danger">Expired</Badge> : null}
            </p>
            <p className="break-words font-mono text-muted text-xs">{row.scope}</p>
            <p className="text-[0.8125rem] text-muted">
              ends <Time at={row.expiresAt} /> ·{' '}
              {row.lastUsedAt ? (
                <>
                  last used <Time at={row.lastUsedAt} />
                </>
              ) : (
                'never used'
              )}
            </p>
          </div>
          <Button size="sm" aria-label={`End the key ${row.name}`} onClick={() => onEnd(row)}>
            End
          </Button>
        </ListRow>
      ))}
    </ul>
  );
}
