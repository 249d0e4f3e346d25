import { ScrollText } from 'lucide-react';
import Link from 'next/link';
import { Sentence, toActorName } from '#components/activity/sentence.tsx';
import { Avatar } from '#components/ui/avatar.tsx';
import { EmptyState } from '#components/ui/empty-state.tsx';
import { Time } from '#components/ui/time.tsx';
import type { AuditRow } from '#lib/client/activity.ts';
import { Panel } from './panel.tsx';

/** What administrators did last; sign-ins and records are left to Activity. */
export function RecentChanges({ projectId, rows }: { projectId: string; rows: readonly AuditRow[] }) {
  const home = `/p/${projectId}/activity`;
  return (
    <Panel id="recent" title="Recent changes" more={{ label: 'All activity', href: home }}>
      {rows.length === 0 ? (
        <EmptyState icon={<ScrollText />} title="Nothing has changed yet" className="py-10" />
      ) : (
        <ul className="divide-y divide-line">
          {rows.map((row) => (
            <li key={row.id} className="relative flex min-h-13 items-center gap-3 px-4 py-2 hover:bg-hover/60">
              <Avatar name={toActorName(row)} className="size-7 text-[0.6875rem]" />
              <Link
                href={`${home}?target=${row.target.reference}&row=${row.id}`}
                className="min-w-0 flex-1 after:absolute after:inset-0"
              >
                <Sentence row={row} />
              </Link>
              <Time at={row.at} className="shrink-0 text-muted text-xs" />
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}
