'use client';
import Link from 'next/link';
import { useParams } from 'next/navigation';
import type { ReactNode } from 'react';
import { Button } from '#components/ui/button.tsx';
import { CopyButton } from '#components/ui/copy-button.tsx';
import { Badge } from '#components/ui/display/badge.tsx';
import { Time } from '#components/ui/display/time.tsx';
import { Sheet } from '#components/ui/overlay/sheet.tsx';
import type { ActivitySearch } from '#lib/client/activity/activity.ts';
import type { Happening } from '#lib/client/activity/fold.ts';
import type { AuditNames } from '#lib/protocol/answers/audit.ts';
import { ChangesTable } from './changes-table.tsx';
import { Sentence, toActorName, toTargetName } from './sentence.tsx';

export type ActivitySheetProps = {
  happening: Happening;
  names: AuditNames;
  change: (next: Partial<ActivitySearch>) => void;
  onClose: () => void;
};

/** Of what was written along with it. */
const SHOWN = 20;

const exact = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'long' });

/** One entry: what changed, who did it, from where, and the request id to look it up by. */
export function ActivitySheet({ happening, names, change, onClose }: ActivitySheetProps) {
  const { row, rest } = happening;
  const { actor, target } = row;
  return (
    <Sheet open inUrl onOpenChange={(open) => open || onClose()} title="Entry" className="max-w-xl">
      <p className="px-6 pt-5 text-base leading-6">
        <Sentence happening={happening} />
      </p>
      <dl className="grid grid-cols-[7rem_minmax(0,1fr)] items-center gap-y-2.5 px-6 py-5">
        <Fact label="When">
          <span>
            {exact.format(new Date(row.at))} (<Time at={row.at} />)
          </span>
        </Fact>
        <Fact label="Outcome">
          {row.outcome === 'failure' ? <Badge tone="danger">Refused or failed</Badge> : <Badge tone="good">Done</Badge>}
        </Fact>
        <Fact label="Action">
          <code className="font-mono text-xs">{row.action}</code>
        </Fact>
        {row.remoteAddress ? <Fact label="From">{row.remoteAddress}</Fact> : null}
        {target.reference ? (
          <Fact label="Target">
            <Target reference={target.reference} />
            <CopyButton value={target.reference} label="Copy target" className="-my-1" />
          </Fact>
        ) : null}
        <Fact label="Request id">
          <code className="min-w-0 truncate font-mono text-xs">{row.requestId}</code>
          <CopyButton value={row.requestId} label="Copy request id" className="-my-1" />
        </Fact>
      </dl>
      <div className="flex flex-wrap gap-2 px-6 pb-5">
        {actor.reference ? (
          <Button size="sm" onClick={() => change({ actor: actor.reference ?? '' })}>
            All by {toActorName(row)}
          </Button>
        ) : null}
        {target.reference ? (
          <Button size="sm" onClick={() => change({ target: target.reference ?? '' })}>
            All on {toTargetName(row)}
          </Button>
        ) : null}
      </div>
      <ChangesTable before={row.before} after={row.after} names={names} />
      {rest.length > 0 ? (
        <section aria-labelledby="along" className="px-6 pt-2 pb-6">
          <h3 id="along" className="mb-2 font-medium text-[0.8125rem] text-muted">
            Along with it, {rest.length.toLocaleString('en')} {rest.length === 1 ? 'entry' : 'entries'}
          </h3>
          <ul className="flex flex-col gap-1 text-[0.8125rem]">
            {rest.slice(0, SHOWN).map((each) => (
              <li key={each.id}>
                <Sentence happening={{ row: each, rest: [] }} />
              </li>
            ))}
          </ul>
        </section>
      ) : null}
    </Sheet>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-muted">{label}</dt>
      <dd className="flex min-w-0 items-center gap-1.5">{children}</dd>
    </>
  );
}

const SCREENS: Record<string, string> = { ProjectMembership: 'members', Bot: 'bots', ClientApplication: 'clients' };

/** Leads to its page where there is one; that of a removed member has the way back. */
function Target({ reference }: { reference: string }) {
  const { project } = useParams<{ project: string }>();
  const [type = '', id] = reference.split('/');
  const text = <code className="min-w-0 truncate font-mono text-xs">{reference}</code>;
  if (!SCREENS[type]) return text;
  return (
    <Link
      href={`/p/${project}/${SCREENS[type]}/${id}`}
      className="flex min-w-0 rounded-sm text-accent-text underline underline-offset-3"
    >
      {text}
    </Link>
  );
}
