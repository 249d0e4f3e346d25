'use client';
import { z } from 'zod';
import { FormProblemAlert } from '#components/door/form-problem.tsx';
import { useDoorForm } from '#components/door/use-door-form.ts';
import { Button } from '#components/ui/button.tsx';
import { Card } from '#components/ui/display/card.tsx';
import { Time } from '#components/ui/display/time.tsx';
import { Alert } from '#components/ui/feedback/alert.tsx';
import { ErrorState } from '#components/ui/feedback/error-state.tsx';
import { Skeleton, SkeletonRegion } from '#components/ui/feedback/skeleton.tsx';
import { toast } from '#components/ui/feedback/toast.tsx';
import { Field } from '#components/ui/form/field.tsx';
import { Form } from '#components/ui/form/form.tsx';
import { Input } from '#components/ui/form/input.tsx';
import { SubmitButton } from '#components/ui/form/submit-button.tsx';
import { ApiError } from '#lib/client/api/api-error.ts';
import { useFormDraft } from '#lib/client/api/use-form-draft.ts';
import { useBotAlert, useSetBotAlert } from '#lib/client/bots/alert.ts';
import type { BotAlert } from '#lib/protocol/bots/alert.ts';

/** A whole number, or nothing. */
const whole = (least: number, most: number) =>
  z
    .string()
    .trim()
    .refine((text) => text === '' || (/^\d+$/.test(text) && Number(text) >= least && Number(text) <= most), {
      error: `A whole number from ${least} to ${most}`,
    });

const schema = z
  .object({
    percent: whole(1, 100),
    hours: whole(1, 24),
    minimum: whole(1, 1_000_000),
    silentHours: whole(1, 720),
    recipients: z.string().trim(),
  })
  .superRefine(({ percent, hours, minimum, silentHours, recipients }, context) => {
    const isOff = percent === '' && silentHours === '';
    if (percent === '' && (hours !== '' || minimum !== ''))
      context.addIssue({ code: 'custom', path: ['percent'], message: 'Of how many percent they are to hear' });
    else if (isOff && recipients !== '')
      context.addIssue({
        code: 'custom',
        path: ['percent'],
        message: 'Of what they are to hear: a percentage, or hours of silence',
      });
  });
const FIELDS = ['percent', 'hours', 'minimum', 'silentHours', 'recipients'] as const;

const OVERTAKEN = 'Somebody else changed the same meanwhile. Discard to see what it is now.';
const BESIDE = 'Somebody else changed the rest meanwhile: it stands here by now. Save it once more.';

export type BotAlertCardProps = { projectId: string; botId: string };

/** When administrators are told by mail that this bot does not do well. */
export function BotAlertCard({ projectId, botId }: BotAlertCardProps) {
  const alert = useBotAlert(projectId, botId);
  const reread = async () => (await alert.refetch()).data;
  if (alert.data) return <Settings key={botId} {...{ projectId, botId, reread }} alert={alert.data} />;
  return (
    <Card className="p-4">
      {alert.error ? (
        <ErrorState error={alert.error} what="the alerts of this bot" onRetry={() => void alert.refetch()} />
      ) : (
        <SkeletonRegion label="Loading the alerts" className="flex flex-col gap-3">
          <Skeleton className="w-1/3" />
          <Skeleton className="h-9" />
        </SkeletonRegion>
      )}
    </Card>
  );
}

type SettingsProps = BotAlertCardProps & { alert: BotAlert; reread: () => Promise<BotAlert | undefined> };

function Settings({ projectId, botId, alert, reread }: SettingsProps) {
  const save = useSetBotAlert(projectId, botId);
  const stored = toValues(alert);
  const { form, onSubmit, problem, startOver, goOn, errorOf, busy } = useDoorForm(
    schema,
    FIELDS,
    async ({ percent, hours, minimum, silentHours, recipients }) => {
      const addresses = recipients.split(/[\s,;]+/).filter(Boolean);
      if (isOvertaken(stored)) throw new ApiError(412, [{ text: OVERTAKEN }]);
      const over = { failure: alert.failure, silentHours: alert.silentHours, recipients: alert.recipients };
      const wanted = {
        failure: percent
          ? { percent: Number(percent), hours: Number(hours || 1), minimum: Number(minimum || 1) }
          : null,
        silentHours: silentHours ? Number(silentHours) : null,
        recipients: addresses.length > 0 ? addresses : null,
      };
      const saved = await save.mutateAsync({ ...wanted, over }).catch(overtaken);
      goOn(toValues(saved));
      toast({ title: percent || silentHours ? 'Alerts saved' : 'Alerts are off' });
    },
    { values: stored, resetOptions: { keepDirtyValues: true } },
  );
  const isOvertaken = useFormDraft(form, `bot-alert:${botId}`);
  async function overtaken(error: unknown): Promise<never> {
    if (!(error instanceof ApiError && error.status === 412)) throw error;
    const now = await reread();
    throw new ApiError(412, [{ text: now && isOvertaken(toValues(now)) ? OVERTAKEN : BESIDE }]);
  }
  const input = (name: (typeof FIELDS)[number]) => (
    <Input {...form.register(name)} inputMode={name === 'recipients' ? 'email' : 'numeric'} autoComplete="off" />
  );
  return (
    <Card className="p-4">
      <h2 className="font-medium">Alerts by mail</h2>
      <p className="mb-4 text-[0.8125rem] text-muted">
        Administrators hear once, and once more when it is over: when half as many percent fail, or a run went well.
        Empty: they do not hear of it.
      </p>
      {alert.failingSince ? (
        <Alert tone="warn" className="mb-3">
          It fails too often: told <Time at={alert.failingSince} />.
        </Alert>
      ) : null}
      {alert.silentSince ? (
        <Alert tone="warn" className="mb-3">
          Nothing went well for too long: told <Time at={alert.silentSince} />.
        </Alert>
      ) : null}
      <Form busy={busy} onSubmit={onSubmit} className="flex flex-col gap-4">
        <FormProblemAlert problem={problem} />
        <div className="grid gap-4 sm:grid-cols-3">
          <Field label="Percent of runs that fail" optional error={errorOf('percent')}>
            {input('percent')}
          </Field>
          <Field
            label="Within hours"
            optional
            error={errorOf('hours')}
            description="1 when empty. The hour it begins in counts whole."
          >
            {input('hours')}
          </Field>
          <Field label="Of so many runs at least" optional error={errorOf('minimum')} description="1 when empty.">
            {input('minimum')}
          </Field>
        </div>
        <div className="grid gap-4 sm:grid-cols-3">
          <Field label="Hours without a run that went well" optional error={errorOf('silentHours')}>
            {input('silentHours')}
          </Field>
          <Field
            label="Addresses"
            optional
            error={errorOf('recipients')}
            description="Of administrators, with commas. All of them when empty."
            className="sm:col-span-2"
          >
            {input('recipients')}
          </Field>
        </div>
        <div className="flex justify-end gap-2">
          {form.formState.isDirty ? <Button onClick={() => startOver(stored)}>Discard</Button> : null}
          <SubmitButton busy={busy}>Save alerts</SubmitButton>
        </div>
      </Form>
    </Card>
  );
}

function toValues({ failure, silentHours, recipients }: BotAlert) {
  const text = (value: number | null | undefined) => (value ? String(value) : '');
  return {
    percent: text(failure?.percent),
    hours: text(failure?.hours),
    minimum: text(failure?.minimum),
    silentHours: text(silentHours),
    recipients: recipients?.join(', ') ?? '',
  };
}
