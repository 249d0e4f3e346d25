'use client';
import { useState } from 'react';
import { Button } from '#components/ui/button.tsx';
import { ErrorState } from '#components/ui/feedback/error-state.tsx';
import { Field } from '#components/ui/form/field.tsx';
import { Form } from '#components/ui/form/form.tsx';
import { Input } from '#components/ui/form/input.tsx';
import { Select } from '#components/ui/form/select.tsx';
import { SubmitButton } from '#components/ui/form/submit-button.tsx';
import { Sheet } from '#components/ui/overlay/sheet.tsx';
import { ofVersion } from '#lib/client/bots/files/program.ts';
import { useVersion } from '#lib/client/bots/source.ts';
import type { BotVersion } from '#lib/protocol/bots/bot-versions.ts';
import { CodeSkeleton } from '../code/lazy-code.tsx';
import { FileChanges } from '../files/file-changes.tsx';

export type CompareSheetProps = {
  projectId: string;
  botId: string;
  versions: readonly BotVersion[];
  /** The older one to begin with. */
  from: number;
  live: number | null;
  busy: boolean;
  onBack: (number: number, note: string) => void;
  onClose: () => void;
};

/** What became of any version in any other; and the way back to the first of them, with a note. */
export function CompareSheet({ projectId, botId, versions, from, live, busy, onBack, onClose }: CompareSheetProps) {
  const [before, setBefore] = useState(String(from));
  const [after, setAfter] = useState(String(live ?? versions[0]?.number ?? from));
  const [note, setNote] = useState('');
  const [old, now] = [useVersion(projectId, botId, Number(before)), useVersion(projectId, botId, Number(after))];
  const options = versions.map(({ number, live: isLive }) => ({
    value: String(number),
    label: isLive ? `Version ${number}, live` : `Version ${number}`,
  }));
  const error = old.error ?? now.error;
  return (
    <Sheet
      open
      keep={note !== ''}
      onOpenChange={(open) => open || onClose()}
      title="Compare versions"
      className="max-w-3xl"
    >
      <div className="flex flex-col gap-5 px-6 py-5">
        <div className="grid gap-4 sm:grid-cols-2">
          <Field label="From">
            <Select value={before} options={options} onValueChange={setBefore} />
          </Field>
          <Field label="To">
            <Select value={after} options={options} onValueChange={setAfter} />
          </Field>
        </div>
        {error ? (
          <ErrorState
            error={error}
            what="these versions"
            onRetry={() => void Promise.all([old.refetch(), now.refetch()])}
          />
        ) : old.data && now.data ? (
          <FileChanges
            label={`Changes from version ${before} to version ${after}`}
            before={ofVersion(old.data)}
            after={ofVersion(now.data)}
          />
        ) : (
          <CodeSkeleton />
        )}
        {Number(before) === live ? null : (
          <Form
            busy={busy}
            className="flex flex-wrap items-end gap-3 border-line border-t pt-4"
            onSubmit={(event) => {
              event.preventDefault();
              onBack(Number(before), note.trim());
            }}
          >
            <Field label="Note" optional className="min-w-52 flex-1">
              <Input
                value={note}
                onChange={(event) => setNote(event.target.value)}
                maxLength={2000}
                autoComplete="off"
              />
            </Field>
            <SubmitButton busy={busy}>Go back to version {before}</SubmitButton>
          </Form>
        )}
        <div className="flex justify-end">
          <Button onClick={onClose}>Close</Button>
        </div>
      </div>
    </Sheet>
  );
}
