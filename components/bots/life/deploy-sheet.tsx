'use client';
import { type ReactNode, useId, useState } from 'react';
import { Button } from '#components/ui/button.tsx';
import { Alert } from '#components/ui/feedback/alert.tsx';
import { Checkbox } from '#components/ui/form/checkbox.tsx';
import { Field } from '#components/ui/form/field.tsx';
import { Form } from '#components/ui/form/form.tsx';
import { Input } from '#components/ui/form/input.tsx';
import { Select } from '#components/ui/form/select.tsx';
import { Sheet } from '#components/ui/overlay/sheet.tsx';
import { ofVersion } from '#lib/client/bots/files/program.ts';
import type { Checked } from '#lib/protocol/bots/samples.ts';
import type { BotEditor } from '../code/use-bot-editor.ts';
import { FileChanges } from '../files/file-changes.tsx';
import { SampleResults } from './sample-results.tsx';
import { WantsList } from './wants-list.tsx';

const SHARES = [
  { value: 'all', label: 'All of them: it is live' },
  { value: '1', label: '1 %, beside what is live' },
  { value: '5', label: '5 %, beside what is live' },
  { value: '10', label: '10 %, beside what is live' },
  { value: '25', label: '25 %, beside what is live' },
  { value: '50', label: '50 %, beside what is live' },
] as const;
type Share = (typeof SHARES)[number]['value'];

/** What a deploy would change, before it does. */
export function DeploySheet({ editor }: { editor: BotEditor }) {
  const { review } = editor;
  const formId = useId();
  const forceId = useId();
  const [note, setNote] = useState('');
  const [share, setShare] = useState<Share>('all');
  /** What was seen when it was said: of what is found by another look it has to be said anew. */
  const [forced, setForced] = useState<Checked>();
  if (!review) return null;
  const { checked, live, files, refused } = review;
  const force = forced === checked;
  const failed = checked.samples.filter(({ ok }) => !ok).length;
  const mayDeploy = failed === 0 || force;
  return (
    <Sheet
      open
      keep
      onOpenChange={(open) => open || editor.deploying || editor.closeReview()}
      title={live ? `Deploy over version ${live.number}` : 'Deploy'}
      className="max-w-3xl"
      footer={
        <>
          <Button idle={editor.deploying} onClick={editor.closeReview}>
            Cancel
          </Button>
          <Button
            type="submit"
            form={formId}
            variant={failed > 0 ? 'danger' : 'primary'}
            busy={editor.deploying}
            disabled={!mayDeploy}
          >
            {share === 'all' ? 'Deploy this version' : `Try on ${share} % of runs`}
          </Button>
        </>
      }
    >
      <Form
        id={formId}
        busy={editor.deploying}
        className="flex flex-col gap-6 px-6 py-5"
        onSubmit={(event) => {
          event.preventDefault();
          if (!mayDeploy) return;
          const canary = share === 'all' ? {} : { canary: Number(share) };
          void editor.release({ ...(note.trim() && { note: note.trim() }), ...canary, ...(failed > 0 && { force }) });
        }}
      >
        {refused ? <Alert tone="danger">{refused}</Alert> : null}
        <Field label="Note" optional description="What this version is, for who reads its history.">
          <Input value={note} onChange={(event) => setNote(event.target.value)} maxLength={500} autoComplete="off" />
        </Field>
        {live ? (
          <Field
            label="Runs on it"
            description={
              share === 'all'
                ? undefined
                : 'It goes back by itself when it fails more than what is live. All attempts at one event are on the same version.'
            }
          >
            <Select value={share} options={SHARES} onValueChange={setShare} />
          </Field>
        ) : null}
        <Part title="Samples">
          {checked.samples.length === 0 ? (
            <p className="text-muted">This bot has no samples. Keep some, and each deploy is tried with them first.</p>
          ) : (
            <SampleResults results={checked.samples} />
          )}
          {failed > 0 ? (
            <Alert
              tone="warn"
              className="mt-3"
              title={failed === 1 ? 'A sample is not as expected' : `${failed} samples are not as expected`}
            >
              <span className="mt-1 flex items-center gap-2">
                <Checkbox id={forceId} checked={force} onCheckedChange={(is) => setForced(is ? checked : undefined)} />
                <label htmlFor={forceId}>Deploy it all the same; the audit log will say so</label>
              </span>
            </Alert>
          ) : null}
        </Part>
        <Part title="What it newly wants">
          <WantsList wants={checked.wants} />
        </Part>
        {live ? (
          <Part title={files.all.length === 1 && !live.files ? `Changes in ${files.entry}` : 'Changes'}>
            <FileChanges label={`Changes since version ${live.number}`} before={ofVersion(live)} after={files} />
          </Part>
        ) : null}
      </Form>
    </Sheet>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title}>
      <h3 className="mb-2 font-medium">{title}</h3>
      {children}
    </section>
  );
}
