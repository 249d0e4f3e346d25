'use client';
import { type RefObject, useEffect, useState } from 'react';
import { Button } from '#components/ui/button.tsx';
import { Card } from '#components/ui/display/card.tsx';
import { rescueFocus } from '#components/ui/overlay/rescue-focus.ts';
import { ReplayDialog, ReplayJob } from './replay.tsx';

export type ReplayBarProps = {
  projectId: string;
  chosen: ReadonlySet<string>;
  /** What they were chosen in. */
  list: RefObject<HTMLElement | null>;
  onClear: () => void;
};

/** What can be done with the chosen runs, and how the last of it went. */
export function ReplayBar({ projectId, chosen, list, onClear }: ReplayBarProps) {
  const [asking, setAsking] = useState(false);
  const [job, setJob] = useState('');
  const hasChosen = chosen.size > 0;
  useEffect(() => {
    // Its own buttons take it away, and the focus with it.
    if (hasChosen) return () => rescueFocus(list.current);
  }, [hasChosen, list]);
  const many = `${chosen.size} ${chosen.size === 1 ? 'run' : 'runs'}`;
  return (
    <>
      {hasChosen ? (
        <Card className="mb-3 flex flex-wrap items-center gap-2 p-2 pl-4">
          <p className="mr-auto font-medium tabular-nums">{many} chosen</p>
          <Button size="sm" onClick={() => setAsking(true)}>
            Run again…
          </Button>
          <Button size="sm" variant="ghost" onClick={onClear}>
            Choose none
          </Button>
        </Card>
      ) : null}
      {job ? <ReplayJob key={job} projectId={projectId} jobId={job} onClose={() => setJob('')} /> : null}
      {asking ? (
        <ReplayDialog
          projectId={projectId}
          what={many}
          which={{ runs: [...chosen] }}
          onStarted={(started) => {
            setJob(started);
            onClear();
          }}
          onClose={() => setAsking(false)}
        />
      ) : null}
    </>
  );
}
