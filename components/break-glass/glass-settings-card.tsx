'use client';
import { useId } from 'react';
import { ChosenCard } from '#components/settings/chosen-card.tsx';
import { ErrorState } from '#components/ui/feedback/error-state.tsx';
import { Skeleton, SkeletonRegion } from '#components/ui/feedback/skeleton.tsx';
import { Checkbox } from '#components/ui/form/checkbox.tsx';
import { Field } from '#components/ui/form/field.tsx';
import { Select } from '#components/ui/form/select.tsx';
import { type PolicyChoice, usePolicies } from '#lib/client/access/policies.ts';
import { useDraft } from '#lib/client/api/use-draft.ts';
import { type GlassSettings, readGlassSettings, toGlassSettings } from '#lib/client/break-glass/glass-settings.ts';
import type { Project, Stored } from '#lib/protocol/fhir/types.ts';

/** A Select has no empty value. */
const NONE = 'none';
const MINUTES = [15, 30, 45, 60];

/** Which policy emergency access gives, to whom, for how long. */
export function GlassSettingsCard({ project }: { project: Stored<Project> }) {
  const policies = usePolicies(project.id);
  const [edits, setEdits] = useDraft<Partial<GlassSettings>>(`emergency-access:${project.id}`);
  const stored = readGlassSettings(project);
  const chosen: GlassSettings = { ...stored, ...edits };
  const isOn = chosen.policy !== '';
  const put = (change: Partial<GlassSettings>) => setEdits({ ...edits, ...change });
  return (
    <ChosenCard
      project={project}
      id="emergency-access"
      title="Emergency access"
      description="A member breaks the glass: for minutes they have one policy more. Administrators are told at once, and another one reviews it."
      saveLabel="Save emergency access"
      isDirty={toText(chosen) !== toText(stored)}
      isWhole={!isOn || chosen.holders.length > 0}
      toEdit={(over) => ({ setting: toGlassSettings(over, chosen) })}
      toRows={(theirs) => toRows(chosen, readGlassSettings(theirs), policies.data ?? [])}
      onDiscard={() => setEdits(undefined)}
    >
      {policies.data ? (
        <div className="flex flex-col gap-5">
          <Field label="In an emergency a member has" description="For records alone, whatever it says.">
            <Select
              value={chosen.policy || NONE}
              options={[
                { value: NONE, label: 'Nothing: there is no emergency access' },
                ...toOptions(policies.data, [chosen.policy]),
              ]}
              onValueChange={(value) => put({ policy: value === NONE ? '' : value })}
              className="w-full truncate sm:w-96"
            />
          </Field>
          {isOn ? (
            <>
              <Holders policies={policies.data} chosen={chosen.holders} onChange={(holders) => put({ holders })} />
              <Field label="For">
                <Select
                  value={String(chosen.minutes)}
                  options={[...new Set([...MINUTES, chosen.minutes])].map((minutes) => ({
                    value: String(minutes),
                    label: `${minutes} minutes`,
                  }))}
                  onValueChange={(value) => put({ minutes: Number(value) })}
                  className="w-full sm:w-48"
                />
              </Field>
            </>
          ) : null}
        </div>
      ) : policies.error ? (
        <ErrorState error={policies.error} what="the access policies" onRetry={() => void policies.refetch()} />
      ) : (
        <SkeletonRegion label="Loading policies" className="flex flex-col gap-3">
          <Skeleton className="w-40" />
          <Skeleton className="h-9" />
        </SkeletonRegion>
      )}
    </ChosenCard>
  );
}

type HoldersProps = { policies: PolicyChoice[]; chosen: string[]; onChange: (holders: string[]) => void };

/** Who may: who has one of these. */
function Holders({ policies, chosen, onChange }: HoldersProps) {
  const note = useId();
  return (
    <fieldset aria-describedby={note}>
      <legend className="font-medium">Members who have one of these may break the glass</legend>
      <p id={note} className="text-[0.8125rem] text-muted">
        Choose at least one. Whom no policy limits has no glass to break.
      </p>
      <ul className="mt-2 flex max-h-64 flex-col overflow-y-auto">
        {toOptions(policies, chosen).map(({ value, label }) => (
          <li key={value}>
            {/* biome-ignore lint/a11y/noLabelWithoutControl: Checkbox is an input */}
            <label className="flex min-h-8 items-center gap-2">
              <Checkbox
                checked={chosen.includes(value)}
                onCheckedChange={(on) => onChange(on ? [...chosen, value] : chosen.filter((one) => one !== value))}
              />
              <span dir="auto" className="min-w-0 break-words">
                {label}
              </span>
            </label>
          </li>
        ))}
      </ul>
    </fieldset>
  );
}

/** A policy that is chosen but gone stays to be seen. */
function toOptions(policies: readonly PolicyChoice[], chosen: readonly string[]) {
  const known = policies.map(({ reference, name }) => ({ value: reference, label: name }));
  const gone = chosen.filter((one) => one !== '' && !known.some(({ value }) => value === one));
  return [...known, ...gone.map((value) => ({ value, label: 'A policy that is gone' }))];
}

function toText({ policy, holders, minutes }: GlassSettings): string {
  return policy === '' ? '' : JSON.stringify([policy, [...holders].sort(), minutes]);
}

function toRows(mine: GlassSettings, theirs: GlassSettings, policies: readonly PolicyChoice[]) {
  const say = ({ policy, holders, minutes }: GlassSettings) => {
    const nameOf = (one: string) => toOptions(policies, [one]).find(({ value }) => value === one)?.label ?? one;
    return policy === '' ? 'None' : `${nameOf(policy)}, to ${holders.map(nameOf).join(', ')}, for ${minutes} minutes`;
  };
  return [{ label: 'Emergency access', mine: say(mine), theirs: say(theirs) }];
}
