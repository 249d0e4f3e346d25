import { METHOD_NAMES } from '#components/factors/method-names.ts';
import { Button } from '#components/ui/button.tsx';
import { Badge } from '#components/ui/display/badge.tsx';
import { ListRow } from '#components/ui/display/list-row.tsx';
import { Time } from '#components/ui/display/time.tsx';
import { useOnce } from '#components/ui/use-once.ts';
import type { WaitingChange as Change } from '#lib/protocol/account-changes/answers.ts';

type WaitingChangeProps = {
  change: Change;
  /** The one who looks is its person. */
  own?: boolean;
  onCancel: () => Promise<void>;
};

/** A change that waits, who asked for it, and what takes it back. */
export function WaitingChange({ change, own = false, onCancel }: WaitingChangeProps) {
  const { busy, once } = useOnce();
  const title = toTitle(change);
  return (
    <ListRow about={change.id} className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3">
      <div className="min-w-0 flex-1 basis-56">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <span className="min-w-0 font-medium [overflow-wrap:anywhere]">{title}</span>
          <Badge tone="warn" dot>
            Waits
          </Badge>
        </p>
        <p className="text-[0.8125rem] text-muted">
          Asked for <Time at={change.askedAt} /> by{' '}
          {change.by === 'administrator' ? 'an administrator' : own ? 'you' : 'the person'}; is done{' '}
          <Time at={change.dueAt} />
          {change.confirmed === false ? ', once the new address is confirmed by the link that was mailed there' : ''}.
        </p>
      </div>
      <Button busy={busy} aria-label={`Take it back: ${title}`} onClick={() => void once(onCancel)}>
        Take it back
      </Button>
    </ListRow>
  );
}

function toTitle({ kind, email, method, passkeys }: Change): string {
  if (kind === 'address') return `New address: ${email ?? ''}`;
  if (kind === 'erase') return 'Erasure of the account';
  const what = [method && METHOD_NAMES[method].title, passkeys && 'Passkeys'].filter(Boolean).join(', ');
  return `Taken away: ${what}`;
}
