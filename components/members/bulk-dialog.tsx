'use client';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { toDay } from '#components/ui/display/day.ts';
import { ConfirmDialog } from '#components/ui/overlay/confirm-dialog.tsx';
import { newKey } from '#lib/client/api/new-key.ts';
import { keys } from '#lib/client/api/query-keys.ts';
import { startJob } from '#lib/client/jobs/jobs.ts';
import { toGoneAt } from '#lib/protocol/answers/removed.ts';
import type { MemberJob } from '#lib/protocol/requests/bulk-job.ts';

/** Above this, a word has to be typed even for what can be taken back. */
const MANY = 25;

const WORDS: Record<MemberJob, { verb: string; effect: string }> = {
  deactivate: { verb: 'Deactivate', effect: 'They are signed out at once, and can be reactivated.' },
  reactivate: { verb: 'Reactivate', effect: 'They can enter the project again, with the access they had.' },
  promote: { verb: 'Promote', effect: 'They can change everything in this project, its people included.' },
  demote: { verb: 'Demote', effect: 'They lose the administration of this project and keep their other access.' },
  resend: { verb: 'Invite again', effect: 'Each gets a new mail; earlier links die. Who has accepted gets none.' },
  remove: {
    verb: 'Remove',
    effect: `They are signed out at once and can no longer enter. Their profile records stay. Until ${toDay(toGoneAt(new Date().toISOString()))} each can be brought back from their page; then the accounts that are of this project only are deleted for good, with their passwords.`,
  },
};

export type BulkDialogProps = {
  projectId: string;
  kind: MemberJob;
  count: number;
  who: { members: string[] } | { search: string };
  onStarted: () => void;
  onClose: () => void;
};

export function BulkDialog({ projectId, kind, count, who, onStarted, onClose }: BulkDialogProps) {
  const queries = useQueryClient();
  // Pressing twice, or again after an answer that was lost, starts one job.
  const [idempotencyKey] = useState(() => newKey());
  const { verb, effect } = WORDS[kind];
  const people = `${count.toLocaleString('en')} ${count === 1 ? 'member' : 'members'}`;
  return (
    <ConfirmDialog
      danger={kind === 'remove' || kind === 'deactivate'}
      title={`${verb} ${people}?`}
      confirm={`${verb} ${people}`}
      typed={kind === 'remove' || count > MANY ? verb.toLowerCase() : undefined}
      onClose={onClose}
      onConfirm={async () => {
        await startJob(projectId, { kind, idempotencyKey, ...who });
        await queries.invalidateQueries({ queryKey: keys.jobs(projectId) });
        onStarted();
      }}
    >
      <p>{effect}</p>
      <p>
        It runs on the server: you may close this page. The owner, the last administrator and whoever it does not fit
        are left as they are, and the result file says why.
      </p>
    </ConfirmDialog>
  );
}
