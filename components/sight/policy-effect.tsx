'use client';
import { useState } from 'react';
import { Button } from '#components/ui/button.tsx';
import { ErrorState } from '#components/ui/feedback/error-state.tsx';
import { type EffectDraft, useAccessEffect } from '#lib/client/sight/effect.ts';
import { EffectView } from './effect-view.tsx';

/** A draft of a policy, or of what a member is given. */
export type PolicyEffectProps = { projectId: string } & EffectDraft;

/** A button before Save, and what it finds: of the draft as it stood when it was pressed; another draft has to be asked for again. */
export function PolicyEffect({ projectId, ...of }: PolicyEffectProps) {
  const [asked, setAsked] = useState<string>();
  const draft = JSON.stringify(of);
  const effect = useAccessEffect(projectId, of, asked === draft);
  return (
    <div className="flex flex-col gap-3">
      <Button size="sm" className="self-start" busy={effect.isFetching} onClick={() => setAsked(draft)}>
        What would this change?
      </Button>
      {asked !== draft ? null : effect.data ? (
        <div data-effect="">
          <EffectView effect={effect.data} />
        </div>
      ) : effect.error ? (
        <ErrorState error={effect.error} what="what this would change" onRetry={() => void effect.refetch()} />
      ) : null}
    </div>
  );
}
