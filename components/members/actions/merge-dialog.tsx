'use client';
import { useState } from 'react';
import { Button } from '#components/ui/button.tsx';
import { cn } from '#components/ui/cn.ts';
import { Alert } from '#components/ui/feedback/alert.tsx';
import { toast } from '#components/ui/feedback/toast.tsx';
import { Dialog } from '#components/ui/overlay/dialog.tsx';
import { usePolicies } from '#lib/client/access/policies.ts';
import { ApiError } from '#lib/client/api/api-error.ts';
import { whilePending } from '#lib/client/api/pending.ts';
import type { ProjectMembership } from '#lib/client/api/types.ts';
import { type MemberChange, patchMember, readMember } from '#lib/client/member/member.ts';
import { findConflicts, isAlreadySo, type MergePicks, merge, pickOf, toWords } from './merge-member.ts';

export type MergeDialogProps = {
  projectId: string;
  /** The member as the reader saw it, and what the reader wanted of it. */
  base: ProjectMembership;
  change: MemberChange;
  /** The member as somebody else left it. */
  theirs: ProjectMembership;
  /** One version stands: saved, or theirs kept. Closing otherwise leaves everything as it was. */
  onDone: () => Promise<void>;
  onClose: () => void;
};

/** Somebody else saved first: theirs and yours, field by field, and the result of the choice. Nothing typed is lost. */
export function MergeDialog({ projectId, base, change, theirs: first, onDone, onClose }: MergeDialogProps) {
  const [theirs, setTheirs] = useState(first);
  const [picks, setPicks] = useState<MergePicks>({});
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);
  const policies = usePolicies(projectId);
  const names = new Map(policies.data?.map(({ reference, name }) => [reference, name]));
  const fields = findConflicts(base, change, theirs);

  async function finish(said: string) {
    await onDone();
    toast({ title: said });
    onClose();
  }

  async function put() {
    const wanted = merge(base, change, theirs, fields, picks);
    try {
      if (Object.keys(wanted).length > 0) await patchMember(projectId, theirs, wanted);
      await finish('Saved');
    } catch (error) {
      if (!(error instanceof ApiError && error.status === 412)) throw error;
      const newest = await readMember(projectId, base.id);
      if (isAlreadySo(base, change, newest)) return finish('Already so');
      setTheirs(newest);
      setProblem('It changed once more while you looked. This is the newest state.');
    }
  }

  async function save() {
    setBusy(true);
    setProblem(undefined);
    await whilePending(put, base.id).catch((error: Error) => {
      const removed = error instanceof ApiError && error.status === 410;
      setProblem(removed ? 'Somebody has removed this member in the meantime.' : error.message);
    });
    setBusy(false);
  }

  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Somebody else changed this member"
      description="Choose what stands. Nothing is saved until you do."
      className="max-w-2xl"
      busy={busy}
      footer={
        <>
          <Button onClick={() => void onDone().then(onClose)}>Keep theirs</Button>
          <Button variant="primary" busy={busy} onClick={() => void save()}>
            Save the result
          </Button>
        </>
      }
    >
      {problem ? <Alert tone="warn">{problem}</Alert> : null}
      <table className="mt-2 w-full table-fixed text-left">
        <thead className="text-muted text-xs">
          <tr>
            <th scope="col" className="w-24 py-2 font-medium">
              <span className="sr-only">Field</span>
            </th>
            <th scope="col" className="py-2 font-medium">
              Yours
            </th>
            <th scope="col" className="py-2 font-medium">
              Theirs
            </th>
          </tr>
        </thead>
        <tbody>
          {fields.map((field) => {
            const mine = { ...base, ...change };
            const pick = pickOf(field, change, picks);
            return (
              <tr key={field} className="border-line border-t">
                <th scope="row" className="py-2 pr-3 align-top font-medium">
                  {toWords(field)}
                </th>
                {(['yours', 'theirs'] as const).map((side) => (
                  <td key={side} className="py-2 pr-2 align-top">
                    <label
                      className={cn(
                        'flex gap-2 rounded-lg border border-line px-3 py-2',
                        pick === side && 'border-accent bg-accent-soft',
                      )}
                    >
                      <input
                        type="radio"
                        name={field}
                        checked={pick === side}
                        onChange={() => setPicks({ ...picks, [field]: side })}
                        className="mt-0.5 accent-accent"
                      />
                      <span className="min-w-0 break-words">
                        {toWords(field, side === 'yours' ? mine : theirs, names)}
                      </span>
                    </label>
                  </td>
                ))}
              </tr>
            );
          })}
          <tr className="border-line border-t">
            <th scope="row" className="py-3 pr-3 align-top font-medium">
              Result
            </th>
            <td colSpan={2} className="py-3">
              {fields
                .map((field) =>
                  toWords(field, pickOf(field, change, picks) === 'yours' ? { ...base, ...change } : theirs, names),
                )
                .join(' · ')}
            </td>
          </tr>
        </tbody>
      </table>
    </Dialog>
  );
}
