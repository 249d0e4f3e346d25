'use client';
import { useState } from 'react';
import { Button } from '#components/ui/button.tsx';
import { Alert } from '#components/ui/feedback/alert.tsx';
import { toast } from '#components/ui/feedback/toast.tsx';
import { Field } from '#components/ui/form/field.tsx';
import { Form } from '#components/ui/form/form.tsx';
import { Input } from '#components/ui/form/input.tsx';
import { SubmitButton } from '#components/ui/form/submit-button.tsx';
import { Dialog } from '#components/ui/overlay/dialog.tsx';
import { toRequest } from '#lib/client/bots/execute.ts';
import { useDryRun, useSaveSample } from '#lib/client/bots/samples.ts';
import { steadyValues } from '#lib/client/bots/steady-values.ts';
import { readStubs } from '#lib/client/bots/stubs.ts';
import type { DryRun } from '#lib/protocol/bots/dry-run.ts';
import type { Expectation } from '#lib/protocol/bots/samples.ts';
import type { BotRunner } from '../runs/use-bot-runner.ts';
import { DryRunResult } from './dry-run-result.tsx';
import { StubsField } from './stubs-field.tsx';

type SampleInput = { contentType: string; body: string };
export type KeepSampleProps = {
  projectId: string;
  botId: string;
  input: SampleInput;
  /** Where it stands. */
  from: string;
  onClose: () => void;
};

/**
 * The input at hand is run dry with what is live; what it would do and answer is shown, and kept as what is expected from now on. So a sample is never a
 * guess.
 */
export function KeepSample({ projectId, botId, input, from, onClose }: KeepSampleProps) {
  const dry = useDryRun(projectId, botId);
  const save = useSaveSample(projectId, botId);
  const [name, setName] = useState('');
  const [text, setText] = useState('');
  const { stubs, fault } = readStubs(text);
  const run = dry.data;
  const problem = dry.error ?? save.error;
  return (
    <Dialog
      open
      keep
      onOpenChange={(open) => open || onClose()}
      className="max-w-2xl"
      title="Keep a sample"
      description={`${from} is run dry with the live version: nothing of that stays.`}
    >
      <Form
        busy={dry.isPending || save.isPending}
        className="flex flex-col gap-4 pt-1"
        onSubmit={(event) => {
          event.preventDefault();
          if (fault) return;
          if (!run) dry.mutate({ input, stubs });
          else
            save.mutate(
              { sample: { name: name.trim(), input, expects: toExpectation(run), stubs } },
              {
                onSuccess: () => {
                  toast({ title: 'The sample is kept' });
                  onClose();
                },
              },
            );
        }}
      >
        {problem ? <Alert tone="danger">{problem.message}</Alert> : null}
        <Field label="Name" description="What it is about, without who it is of.">
          <Input value={name} onChange={(event) => setName(event.target.value)} maxLength={128} autoComplete="off" />
        </Field>
        <StubsField
          value={text}
          onValueChange={(next) => {
            setText(next);
            dry.reset();
          }}
        />
        {run ? <DryRunResult run={run} /> : null}
        <div className="flex justify-end gap-2 pt-1">
          <Button onClick={onClose}>Cancel</Button>
          <SubmitButton busy={dry.isPending || save.isPending}>
            {run ? 'Keep it, and expect this' : 'Run it dry'}
          </SubmitButton>
        </div>
      </Form>
    </Dialog>
  );
}

/** As a body with its content type: a query is a form. */
export function toInput(botId: string, { input }: Pick<BotRunner, 'input'>): SampleInput {
  const { init } = toRequest(botId, input.kind === 'query' ? { ...input, kind: 'form' } : input);
  const headers = init.headers as Record<string, string>;
  return { contentType: headers['Content-Type'] ?? 'text/plain', body: String(init.body ?? '') };
}

function toExpectation({ ok, output, failure, writes }: DryRun): Expectation {
  const isText = output && (output.kind === 'string' || output.kind === 'hl7');
  const value = output ? (isText || output.text === '' ? output.text || null : JSON.parse(output.text)) : undefined;
  const said = ok ? value : (failure?.outcome ?? failure?.message);
  return {
    ok,
    ...(said !== undefined && { output: steadyValues(said, writes) }),
    ...(ok && {
      writes: writes.map(({ action, target }) => ({ action, resourceType: target.split('/')[0] ?? target })),
    }),
  };
}
