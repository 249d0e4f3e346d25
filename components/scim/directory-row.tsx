'use client';
import { Button } from '#components/ui/button.tsx';
import { ListRow } from '#components/ui/display/list-row.tsx';
import { Time } from '#components/ui/display/time.tsx';
import type { ScimConnectionRow } from '#lib/protocol/answers/scim-connections.ts';

/** What opens a dialog. */
export type DirectoryAsk = 'edit' | 'groups' | 'tokens' | 'requests' | 'disconnect';

const ACTIONS: readonly [what: DirectoryAsk, label: string][] = [
  ['edit', 'Edit'],
  ['groups', 'Groups'],
  ['tokens', 'Tokens'],
  ['requests', 'Requests'],
  ['disconnect', 'Disconnect'],
];

export function DirectoryRow({ row, onAsk }: { row: ScimConnectionRow; onAsk: (what: DirectoryAsk) => void }) {
  const { name, members, lastUsedAt, sendEmail } = row;
  return (
    <ListRow about={row.id} className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2 pr-2 pl-4">
      <div className="min-w-0 flex-1 basis-56">
        <p className="truncate font-medium">{name}</p>
        <p className="text-[0.8125rem] text-muted">
          {members === 1 ? '1 member' : `${members} members`} ·{' '}
          {lastUsedAt ? (
            <>
              last used <Time at={lastUsedAt} />
            </>
          ) : (
            'never used'
          )}
          {sendEmail ? ' · invites by mail' : null}
        </p>
      </div>
      <div className="flex flex-wrap">
        {ACTIONS.map(([what, label]) => (
          <Button key={what} size="sm" variant="ghost" aria-label={`${label}: ${name}`} onClick={() => onAsk(what)}>
            {label}
          </Button>
        ))}
      </div>
    </ListRow>
  );
}
