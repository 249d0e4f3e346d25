'use client';
import { z } from 'zod';
import { FormProblemAlert } from '#components/door/form-problem.tsx';
import { useDoorForm } from '#components/door/use-door-form.ts';
import { Button } from '#components/ui/button.tsx';
import { CopyButton } from '#components/ui/copy-button.tsx';
import { toast } from '#components/ui/feedback/toast.tsx';
import { Form } from '#components/ui/form/form.tsx';
import { SubmitButton } from '#components/ui/form/submit-button.tsx';
import { Dialog } from '#components/ui/overlay/dialog.tsx';
import { useVerifyDomain } from '#lib/client/mail-domains/mail-domains.ts';
import type { MailDomainRow } from '#lib/protocol/answers/mail-domains.ts';

export type RecordDialogProps = { projectId: string; row: MailDomainRow; onClose: () => void };

const nothing = z.object({});

/** What is to stand in DNS, and whether it does. It must stay there: it is asked for again every day. */
export function RecordDialog({ projectId, row, onClose }: RecordDialogProps) {
  const { domain, record } = row;
  const verify = useVerifyDomain(projectId);
  const { onSubmit, problem, busy } = useDoorForm<Record<string, never>>(nothing, [], async () => {
    await verify.mutateAsync({ domain });
    toast({ title: `${domain} is verified` });
    onClose();
  });
  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      title={`The record of ${domain}`}
      description="Add it where your DNS is kept, and leave it there: it is looked for every day."
      className="max-w-xl"
    >
      <Form busy={busy} onSubmit={onSubmit} className="flex flex-col gap-4 pt-1">
        <FormProblemAlert problem={problem} />
        <dl className="divide-y divide-line rounded-lg border border-line">
          <Part label="Type" value="TXT" />
          <Part label="Name" value={record.name} />
          <Part label="Value" value={record.value} />
        </dl>
        <div className="flex flex-wrap justify-end gap-2 pt-1">
          <Button onClick={onClose}>Close</Button>
          <SubmitButton busy={busy}>{row.verifiedAt ? 'Look again' : 'Verify domain'}</SubmitButton>
        </div>
      </Form>
    </Dialog>
  );
}

function Part({ label, value }: { label: string; value: string }) {
  return (
    <div className="flex min-h-11 items-center gap-3 py-1 pr-1 pl-3">
      <dt className="w-16 shrink-0 text-muted">{label}</dt>
      <dd className="min-w-0 flex-1 break-all font-mono text-xs">{value}</dd>
      <dd>
        <CopyButton value={value} label={`Copy the ${label.toLowerCase()}`} />
      </dd>
    </div>
  );
}
