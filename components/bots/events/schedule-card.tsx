'use client';
import { Time } from '#components/ui/display/time.tsx';
import { Alert } from '#components/ui/feedback/alert.tsx';
import { Checkbox } from '#components/ui/form/checkbox.tsx';
import { Field } from '#components/ui/form/field.tsx';
import { Input } from '#components/ui/form/input.tsx';
import { Select } from '#components/ui/form/select.tsx';
import { useBotPart, useSchedule } from '#lib/client/bots/connections/connections.ts';
import {
  DAYS,
  type Day,
  type ScheduleForm,
  toSchedule,
  toScheduleForm,
} from '#lib/client/bots/connections/schedule-form.ts';
import type { Bot, Stored } from '#lib/protocol/fhir/types.ts';
import { NextTimes } from './next-times.tsx';
import { PartCard } from './part-card.tsx';

const KINDS = [
  { value: 'none', label: 'It does not run by itself' },
  { value: 'times', label: 'At times of the day' },
  { value: 'cron', label: 'By a cron expression' },
] as const;
const OTHER = { value: 'other', label: 'By a Timing of its own' } as const;

const DAY_NAMES: Record<Day, string> = {
  mon: 'Monday',
  tue: 'Tuesday',
  wed: 'Wednesday',
  thu: 'Thursday',
  fri: 'Friday',
  sat: 'Saturday',
  sun: 'Sunday',
};

/** When a bot runs by itself, with the next five times as the server has them. */
export function ScheduleCard({ projectId, bot }: { projectId: string; bot: Stored<Bot> }) {
  const part = useBotPart<ScheduleForm>({ projectId, bot, name: 'schedule', read: toScheduleForm, write: toSchedule });
  const { form, change } = part;
  const isOther = toScheduleForm(bot).kind === 'other';
  return (
    <PartCard
      id="schedule"
      title="Schedule"
      description="Times at which the bot runs by itself, with its own record as the input."
      saveLabel="Save schedule"
      part={part}
    >
      <Field label="Runs">
        <Select
          value={form.kind}
          options={isOther ? [...KINDS, OTHER] : KINDS}
          onValueChange={(kind) => change({ kind })}
          className="sm:max-w-72"
        />
      </Field>
      {form.kind === 'cron' ? (
        <Field
          label="Cron expression"
          description="Minute, hour, day of the month, month, day of the week: 30 8 * * 1-5"
        >
          <Input
            value={form.cron}
            onValueChange={(cron) => change({ cron })}
            autoComplete="off"
            spellCheck={false}
            maxLength={200}
            className="font-mono sm:max-w-72"
          />
        </Field>
      ) : null}
      {form.kind === 'times' ? <Times form={form} change={change} /> : null}
      {form.kind === 'other' ? (
        <p className="text-muted">
          Its cronTiming says more than times and days. It stays as it is until you choose another kind.
        </p>
      ) : null}
      {form.kind === 'none' || form.kind === 'other' ? null : (
        <Field label="Time zone" optional description="A name like Europe/Berlin; UTC when empty.">
          <Input
            value={form.zone}
            onValueChange={(zone) => change({ zone })}
            autoComplete="off"
            spellCheck={false}
            maxLength={100}
            list="time-zones"
            className="sm:max-w-72"
          />
        </Field>
      )}
      <datalist id="time-zones">
        {Intl.supportedValuesOf('timeZone').map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
      {form.kind === 'none' ? null : <NextTimes projectId={projectId} botId={bot.id} form={form} />}
      <Past projectId={projectId} botId={bot.id} />
    </PartCard>
  );
}

type TimesProps = { form: ScheduleForm; change: (part: Partial<ScheduleForm>) => void };

function Times({ form, change }: TimesProps) {
  const toggle = (day: Day, isChosen: boolean) =>
    change({ days: DAYS.filter((each) => (each === day ? isChosen : form.days.includes(each))) });
  return (
    <>
      <Field label="Times" description="Hours and minutes: 08:30, 17:00">
        <Input
          value={form.times}
          onValueChange={(times) => change({ times })}
          autoComplete="off"
          maxLength={1000}
          className="sm:max-w-72"
        />
      </Field>
      <fieldset>
        <legend className="mb-1 font-medium text-sm">
          Days <span className="ml-0.5 font-normal text-faint">none: every day</span>
        </legend>
        <div className="flex flex-wrap gap-x-4 gap-y-1">
          {DAYS.map((day) => (
            // biome-ignore lint/a11y/noLabelWithoutControl: the box is within it.
            <label key={day} className="flex items-center gap-1.5">
              <Checkbox checked={form.days.includes(day)} onCheckedChange={(is) => toggle(day, is)} />
              {DAY_NAMES[day]}
            </label>
          ))}
        </div>
      </fieldset>
    </>
  );
}

/** What became of the times that have passed. */
function Past({ projectId, botId }: { projectId: string; botId: string }) {
  const { data } = useSchedule(projectId, botId);
  if (!data?.lastAt && !data?.missed && !data?.note) return null;
  return (
    <div className="flex flex-col gap-2">
      {data.lastAt ? (
        <p className="text-[0.8125rem] text-muted">
          Its last time was <Time at={data.lastAt} />.
        </p>
      ) : null}
      {data.note ? <Alert tone="warn">It was not run then: {data.note}.</Alert> : null}
      {data.missed ? (
        <Alert tone="warn">
          {data.missed.times === 1 ? 'One time was' : `${data.missed.times} times were`} missed from{' '}
          <Time at={data.missed.since} />, since no server ran, or an earlier one waited to be run. One run made up for
          all of them.
        </Alert>
      ) : null}
    </div>
  );
}
