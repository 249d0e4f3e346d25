'use client';
import { z } from 'zod';
import { FormProblemAlert } from '#components/door/form-problem.tsx';
import { useDoorForm } from '#components/door/use-door-form.ts';
import { Button } from '#components/ui/button.tsx';
import { toast } from '#components/ui/feedback/toast.tsx';
import { Field } from '#components/ui/form/field.tsx';
import { Form } from '#components/ui/form/form.tsx';
import { Input } from '#components/ui/form/input.tsx';
import { Select } from '#components/ui/form/select.tsx';
import { SubmitButton } from '#components/ui/form/submit-button.tsx';
import { TextArea } from '#components/ui/form/text-area.tsx';
import { Toggle } from '#components/ui/form/toggle.tsx';
import { Dialog } from '#components/ui/overlay/dialog.tsx';
import { ApiError } from '#lib/client/api/api-error.ts';
import { useHold } from '#lib/client/api/use-draft.ts';
import { useBots } from '#lib/client/bots/bots.ts';
import { newFeedForm, toFeedForm, toFeedRequest, waysOf } from '#lib/client/hl7-feeds/feed-form.ts';
import { useSaveFeed } from '#lib/client/hl7-feeds/hl7-feeds.ts';
import { FEED_ANSWERS, type Hl7Feed, type Hl7Server } from '#lib/protocol/hl7/feeds/feed-answers.ts';

const WAYS = { port: 'By a port of its own', certificate: 'By its certificate' } as const;
const ANSWERS = {
  stored: 'Once the message is stored',
  bot: 'By the bot, when it has run',
} as const;

const schema = z.object({
  name: z.string().trim().min(1, 'Name the feed').max(80, 'At most 80 characters'),
  bot: z.string().min(1, 'Choose the bot that gets its messages'),
  way: z.enum(['port', 'certificate']),
  port: z
    .string()
    .trim()
    .regex(/^\d{0,5}$/, 'A number'),
  tls: z.boolean(),
  clientCertificate: z.string().trim(),
  allowedAddress: z.string(),
  answer: z.enum(FEED_ANSWERS),
});
const FIELDS = ['name', 'bot', 'way', 'port', 'tls', 'clientCertificate', 'allowedAddress', 'answer'] as const;

export type FeedDialogProps = {
  projectId: string;
  /** Undefined: a new one. */
  feed: Hl7Feed | undefined;
  feeds: readonly Hl7Feed[];
  server: Hl7Server;
  onClose: () => void;
};

function overtaken(error: unknown): never {
  if (!(error instanceof ApiError && error.status === 412)) throw error;
  const text = 'Somebody else changed this feed meanwhile. Close this, and open it again to see what it is now.';
  throw new ApiError(412, [{ text }]);
}

/** A new feed, or one anew: who sends, which bot gets it, and when that is acknowledged. */
export function FeedDialog({ projectId, feed, feeds, server, onClose }: FeedDialogProps) {
  const save = useSaveFeed(projectId);
  const bots = useBots(projectId).data?.rows ?? [];
  const { form, onSubmit, problem, errorOf, busy } = useDoorForm(
    schema,
    FIELDS,
    async (values) => {
      const body = { ...toFeedRequest(values, feed?.active ?? true), over: feed?.version };
      await save.mutateAsync({ id: feed?.id, body }).catch(overtaken);
      toast({ title: feed ? `${values.name} is changed` : `${values.name} is on` });
      onClose();
    },
    { defaultValues: feed ? toFeedForm(feed) : newFeedForm(server, feeds) },
  );
  useHold(form.formState.isDirty);
  const { way, tls, bot, answer } = form.watch();
  const set = (name: 'way' | 'bot' | 'answer') => (value: string) =>
    form.setValue(name, value, { shouldDirty: true, shouldValidate: form.formState.isSubmitted });
  const ways = waysOf(server).map((value) => ({ value, label: WAYS[value] }));
  const isKnown = bots.some(({ id }) => `Bot/${id}` === bot);
  const botOptions = [
    ...(isKnown ? [] : [{ value: bot, label: bot ? (feed?.bot.display ?? 'Unnamed bot') : 'Choose a bot' }]),
    ...bots.map(({ id, name }) => ({ value: `Bot/${id}`, label: name || 'Unnamed bot' })),
  ];
  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      title={feed ? `Change ${feed.name}` : 'New HL7 v2 feed'}
      className="max-w-lg"
      keep
    >
      <Form busy={busy} onSubmit={onSubmit} className="flex flex-col gap-4 pt-1">
        <FormProblemAlert problem={problem} />
        <Field label="Name" error={errorOf('name')} description="Who sends: “Admissions, north wing”.">
          <Input {...form.register('name')} autoComplete="off" />
        </Field>
        <Field label="Bot" error={errorOf('bot')}>
          <Select value={bot} options={botOptions} onValueChange={set('bot')} className="w-full" />
        </Field>
        <Field label="How its sender is told" error={errorOf('way')}>
          <Select value={way} options={ways} onValueChange={set('way')} className="w-full" />
        </Field>
        {way === 'port' ? (
          <>
            <Field
              label="Port"
              error={errorOf('port')}
              description={server.ports ? `From ${server.ports.from} to ${server.ports.to}.` : undefined}
            >
              <Input {...form.register('port')} inputMode="numeric" autoComplete="off" className="max-w-32" />
            </Field>
            {server.tls ? (
              <Toggle
                label="TLS"
                checked={tls}
                onCheckedChange={(next) => form.setValue('tls', next, { shouldDirty: true })}
              >
                With the certificate of this server. Without it messages are neither secret nor known to be of their
                sender.
              </Toggle>
            ) : null}
          </>
        ) : null}
        {way === 'certificate' || tls ? (
          <Field
            label="Certificate of the sender"
            optional={way === 'port'}
            error={errorOf('clientCertificate')}
            description="Its SHA-256, as openssl x509 -fingerprint -sha256 prints it."
          >
            <TextArea {...form.register('clientCertificate')} isCode rows={3} autoComplete="off" />
          </Field>
        ) : null}
        <Field
          label="Addresses"
          optional
          error={errorOf('allowedAddress')}
          description="One a line, from which alone it may be sent: 10.20.0.7, or 10.20.0.0/16."
        >
          <TextArea {...form.register('allowedAddress')} isCode autoComplete="off" />
        </Field>
        <Field label="Acknowledged" error={errorOf('answer')}>
          <Select
            value={answer}
            options={FEED_ANSWERS.map((value) => ({ value, label: ANSWERS[value] }))}
            onValueChange={set('answer')}
            className="w-full"
          />
        </Field>
        <div className="flex flex-wrap justify-end gap-2 pt-1">
          <Button onClick={onClose}>Cancel</Button>
          <SubmitButton busy={busy}>{feed ? 'Save feed' : 'Make feed'}</SubmitButton>
        </div>
      </Form>
    </Dialog>
  );
}
