'use client';
import { useState } from 'react';
import { Button } from '#components/ui/button.tsx';
import { Alert } from '#components/ui/feedback/alert.tsx';
import { Field } from '#components/ui/form/field.tsx';
import { Form } from '#components/ui/form/form.tsx';
import { Input } from '#components/ui/form/input.tsx';
import { Select } from '#components/ui/form/select.tsx';
import { SubmitButton } from '#components/ui/form/submit-button.tsx';
import { Dialog } from '#components/ui/overlay/dialog.tsx';
import type { PolicyChoice } from '#lib/client/access/policies.ts';
import { whilePending } from '#lib/client/api/pending.ts';
import type { ReviewRow } from '#lib/protocol/access-reviews/answers.ts';
import type { Decision } from '#lib/protocol/access-reviews/requests.ts';
import { CheckLine } from './check-line.tsx';
import { toEntry, toName } from './facts.ts';

export type ReduceDialogProps = {
  row: ReviewRow;
  policies: readonly PolicyChoice[];
  onReduce: (decision: Decision) => Promise<void>;
  onClose: () => void;
};

/** What is left of a member's access: another policy, and of the entries those that stay ticked. */
export function ReduceDialog({ row, policies, onReduce, onClose }: ReduceDialogProps) {
  const { accessPolicy, access = [], version } = row.now ?? {};
  /** The API knows them by their place. */
  const entries = access.map((entry, at) => ({ at, entry }));
  const before = accessPolicy?.reference ?? '';
  const names = new Map(policies.map(({ reference, name }) => [reference, name]));
  const [policy, setPolicy] = useState(before);
  const [kept, setKept] = useState<readonly number[]>(access.map((_, at) => at));
  const [note, setNote] = useState('');
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();

  async function reduce() {
    setBusy(true);
    setProblem(undefined);
    try {
      await whilePending(() =>
        onReduce({
          ...{ membership: row.membership, decision: 'reduce', ...(version && { version }) },
          ...(policy !== before && { accessPolicy: policy || null }),
          ...(kept.length < access.length && { keepAccess: [...kept] }),
          ...(note.trim() && { note: note.trim() }),
        }),
      );
      onClose();
    } catch (error) {
      setProblem(error instanceof Error ? error.message : 'This failed');
      setBusy(false);
    }
  }

  const isKnown = before === '' || policies.some(({ reference }) => reference === before);
  return (
    <Dialog open onOpenChange={(open) => open || onClose()} title={`Reduce ${toName(row)}`} className="max-w-lg" keep>
      <Form
        busy={busy}
        onSubmit={(event) => {
          event.preventDefault();
          void reduce();
        }}
        className="flex flex-col gap-4 pt-1"
      >
        {problem ? <Alert tone="danger">{problem}</Alert> : null}
        <Field label="Policy">
          <Select
            value={policy}
            options={[
              { value: '', label: 'None of its own' },
              ...(isKnown ? [] : [{ value: before, label: before }]),
              ...policies.map(({ reference, name }) => ({ value: reference, label: name })),
            ]}
            onValueChange={(next) => {
              setProblem(undefined);
              setPolicy(next);
            }}
            className="w-full"
          />
        </Field>
        {access.length > 0 ? (
          <fieldset className="flex max-h-64 flex-col gap-1 overflow-y-auto">
            <legend className="mb-1 font-medium text-sm">Entries that stay</legend>
            {entries.map(({ at, entry }) => (
              <CheckLine
                key={at}
                label={toEntry(entry, names)}
                checked={kept.includes(at)}
                onCheckedChange={(on) =>
                  setKept(on ? [...kept, at].sort((a, b) => a - b) : kept.filter((other) => other !== at))
                }
              />
            ))}
          </fieldset>
        ) : null}
        <Field label="Why" optional>
          <Input value={note} maxLength={500} onChange={(event) => setNote(event.target.value)} autoComplete="off" />
        </Field>
        <div className="flex flex-wrap justify-end gap-2 pt-1">
          <Button onClick={onClose}>Cancel</Button>
          <SubmitButton busy={busy}>Decide to reduce</SubmitButton>
        </div>
      </Form>
    </Dialog>
  );
}
