'use client';
import { useId, useRef, useState } from 'react';
import { AccessRowFields } from '#components/member/access-row-fields.tsx';
import { PolicyEffect } from '#components/sight/policy-effect.tsx';
import { Button } from '#components/ui/button.tsx';
import { Alert } from '#components/ui/feedback/alert.tsx';
import { toast } from '#components/ui/feedback/toast.tsx';
import { Field } from '#components/ui/form/field.tsx';
import { focusRefusal } from '#components/ui/form/focus-refusal.ts';
import { Form } from '#components/ui/form/form.tsx';
import { Input } from '#components/ui/form/input.tsx';
import { SubmitButton } from '#components/ui/form/submit-button.tsx';
import { Sheet } from '#components/ui/overlay/sheet.tsx';
import { findUnfinished, newAccessRow, toAccessEntries } from '#lib/client/access/access-rows.ts';
import { usePolicies } from '#lib/client/access/policies.ts';
import { useDecideRequest } from '#lib/client/access-requests/requests.ts';
import { whilePending } from '#lib/client/api/pending.ts';
import { useHold } from '#lib/client/api/use-draft.ts';
import { useMember } from '#lib/client/member/member.ts';
import type { GrantRequest } from '#lib/protocol/access-requests/requests.ts';
import { toName, toWhat } from './facts.ts';
import type { DecideProps } from './refuse-dialog.tsx';

const HOUR_MS = 3_600_000;
const SPANS = [
  { label: '8 hours', hours: 8 },
  { label: '1 day', hours: 24 },
  { label: '1 week', hours: 168 },
  { label: '30 days', hours: 720 },
];

/** Which policy, with which values, and until when: an entry more of the member’s access. */
export function GrantSheet({ projectId, request, onClose }: DecideProps) {
  const decide = useDecideRequest(projectId, request.id);
  const policies = usePolicies(projectId).data ?? [];
  const member = useMember(projectId, request.membership).data;
  const [row, setRow] = useState(newAccessRow);
  const [until, setUntil] = useState(() => toLocal(24));
  const [answer, setAnswer] = useState('');
  const [tried, setTried] = useState(false);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const root = useRef<HTMLDivElement>(null);
  const formId = useId();
  const unfinished = new Map(
    findUnfinished(row).map(([path, why]) => [path, path === 'policy' ? 'Choose a policy' : why]),
  );
  const end = new Date(until);
  const late = Number.isNaN(end.getTime())
    ? 'Say until when'
    : end.getTime() <= Date.now()
      ? 'It must be in the future'
      : undefined;
  useHold(row.policy !== '' || answer !== '');

  async function grant() {
    setProblem(undefined);
    setTried(true);
    const [entry] = toAccessEntries([row]);
    if (unfinished.size > 0 || late || !entry) return focusRefusal(root.current);
    setBusy(true);
    try {
      const body = {
        ...{ policy: entry.policy.reference, until: end.toISOString() },
        ...(entry.parameter && { parameter: entry.parameter as GrantRequest['parameter'] }),
        ...(answer.trim() && { answer: answer.trim() }),
      };
      await whilePending(() => decide.mutateAsync({ act: 'grant', body }));
      toast({ title: 'The access is given', description: `${toName(request)} is told. It ends by itself.` });
      onClose();
    } catch (error) {
      setProblem(error instanceof Error ? error.message : 'This failed');
      setBusy(false);
    }
  }

  const entries = unfinished.size === 0 && !late ? toAccessEntries([row]) : [];
  const draft =
    member && entries[0]
      ? {
          ...(member.admin && { admin: true }),
          ...(member.accessPolicy && { accessPolicy: member.accessPolicy }),
          access: [...(member.access ?? []), entries[0]],
        }
      : undefined;
  return (
    <Sheet
      open
      onOpenChange={(open) => open || onClose()}
      title="Grant access"
      keep
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <SubmitButton form={formId} busy={busy}>
            Grant access
          </SubmitButton>
        </>
      }
    >
      <div ref={root} className="p-6">
        <Form
          id={formId}
          busy={busy}
          onSubmit={(event) => {
            event.preventDefault();
            void grant();
          }}
          className="flex flex-col gap-5"
        >
          {problem ? <Alert tone="danger">{problem}</Alert> : null}
          <p className="break-words text-muted">
            <span dir="auto" className="font-medium text-ink">
              {toName(request)}
            </span>{' '}
            asks to {toWhat(request)}. Choose which of the project’s policies opens that.
          </p>
          <fieldset>
            <legend className="mb-1.5 font-medium text-sm">Policy</legend>
            <AccessRowFields
              row={row}
              policies={policies}
              onChange={setRow}
              errorOf={(path) => (tried ? unfinished.get(path) : undefined)}
            />
          </fieldset>
          <Field label="Until" error={tried ? late : undefined} description="From then on it gives nothing.">
            <Input
              type="datetime-local"
              value={until}
              max="9999-12-31T23:59"
              onChange={(event) => setUntil(event.target.value)}
              className="max-w-60"
            />
          </Field>
          <div className="-mt-3 flex flex-wrap gap-1.5">
            {SPANS.map(({ label, hours }) => (
              <Button key={label} size="sm" aria-label={`For ${label}`} onClick={() => setUntil(toLocal(hours))}>
                {label}
              </Button>
            ))}
          </div>
          <Field label="Answer" optional description={`${toName(request)} reads it.`}>
            <Input
              value={answer}
              maxLength={500}
              onChange={(event) => setAnswer(event.target.value)}
              autoComplete="off"
            />
          </Field>
          {draft ? <PolicyEffect projectId={projectId} membershipId={request.membership} draft={draft} /> : null}
        </Form>
      </div>
    </Sheet>
  );
}

/** So many hours from now, as a field for a local time has it. */
function toLocal(hours: number): string {
  const at = new Date(Date.now() + hours * HOUR_MS);
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
