'use client';
import { Button } from '#components/ui/button.tsx';
import { Alert } from '#components/ui/feedback/alert.tsx';
import { toast } from '#components/ui/feedback/toast.tsx';
import { Dialog } from '#components/ui/overlay/dialog.tsx';
import { usePolicies } from '#lib/client/access/policies.ts';
import type { MemberConflict } from './merge-member.ts';
import { MergeTable } from './table.tsx';
import { useMerge } from './use-merge.ts';

export type MergeDialogProps = MemberConflict & {
  projectId: string;
  /** One version stands: saved, or theirs kept. Closing otherwise leaves everything as it was. */
  onDone: () => Promise<void>;
  onClose: () => void;
};

/** Somebody else saved first: both versions and a choice. Nothing typed is lost. */
export function MergeDialog({ projectId, onDone, onClose, ...conflict }: MergeDialogProps) {
  const policies = usePolicies(projectId);
  const merge = useMerge(projectId, conflict, async (said) => {
    await onDone();
    toast({ title: said });
    onClose();
  });
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Somebody else changed this member"
      description="Choose what stands. Nothing is saved until you do."
      className="max-w-2xl"
      busy={merge.busy}
      footer={
        <>
          <Button onClick={() => void onDone().then(onClose)}>Keep theirs</Button>
          <Button variant="primary" busy={merge.busy} onClick={() => void merge.save()}>
            Save the result
          </Button>
        </>
      }
    >
      {merge.problem ? <Alert tone="warn">{merge.problem}</Alert> : null}
      <MergeTable
        {...conflict}
        theirs={merge.theirs}
        fields={merge.fields}
        picks={merge.picks}
        onPick={merge.setPicks}
        policyNames={new Map(policies.data?.map(({ reference, name }) => [reference, name]))}
      />
    </Dialog>
  );
}
