'use client';
import type { ReactNode } from 'react';
import { FormProblemAlert } from '#components/door/form-problem.tsx';
import { SettingsCard } from '#components/settings/settings-card.tsx';
import { Button } from '#components/ui/button.tsx';
import { toast } from '#components/ui/feedback/toast.tsx';
import type { FormProblem } from '#lib/client/api/form-errors.ts';

export type PartCardProps = {
  id: string;
  title: string;
  description: ReactNode;
  saveLabel: string;
  part: {
    isDirty: boolean;
    save: () => Promise<boolean>;
    discard: () => void;
    problem: FormProblem | undefined;
    busy: boolean;
  };
  /** Whether what is typed can be saved at all. */
  isWhole?: boolean;
  children: ReactNode;
};

/** A part of a bot that is saved by itself: Save and Discard once something is changed, refusals in words. */
export function PartCard({ part, saveLabel, isWhole = true, children, ...frame }: PartCardProps) {
  const { isDirty, save, discard, problem, busy } = part;
  const store = async () => {
    if (await save()) toast({ title: 'Settings saved' });
  };
  return (
    <SettingsCard
      {...frame}
      busy={busy}
      footer={
        isDirty ? (
          <>
            <Button onClick={discard}>Discard</Button>
            <Button variant="primary" busy={busy} disabled={!isWhole} onClick={() => void store()}>
              {saveLabel}
            </Button>
          </>
        ) : null
      }
    >
      <div className="flex flex-col gap-5">
        <FormProblemAlert problem={problem} />
        {children}
      </div>
    </SettingsCard>
  );
}
