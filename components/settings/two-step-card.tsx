'use client';
import { Select } from '#components/ui/form/select.tsx';
import { useDraft } from '#lib/client/api/use-draft.ts';
import { type FactorSettings, readFactorSettings, toFactorSettings } from '#lib/client/settings/factor-settings.ts';
import type { Project, Stored } from '#lib/protocol/fhir/types.ts';
import { ChosenCard } from './chosen-card.tsx';

const ROWS = [
  {
    name: 'required',
    label: 'Who must have it',
    note: 'They set it up when they next sign in; sessions that are open go on',
    options: [
      { value: 'none', label: 'Nobody: each decides' },
      { value: 'admins', label: 'Administrators' },
      { value: 'everyone', label: 'Everyone' },
    ],
  },
  {
    name: 'allowed',
    label: 'What may be set up',
    note: 'What somebody has already goes on working',
    options: [
      { value: 'totp', label: 'Authenticator app' },
      { value: 'email', label: 'Codes by e-mail' },
      { value: 'totp,email', label: 'Both' },
    ],
  },
] as const;

/** What the project asks of its members' sign-in, beside the password. */
export function TwoStepSettingsCard({ project }: { project: Stored<Project> }) {
  const [edits, setEdits] = useDraft<Partial<FactorSettings>>(`two-step:${project.id}`);
  const stored = readFactorSettings(project);
  const chosen: FactorSettings = { ...stored, ...edits };
  const dirty = ROWS.some(({ name }) => chosen[name] !== stored[name]);

  return (
    <ChosenCard
      project={project}
      id="two-step"
      title="Two-step sign-in"
      description="A code besides the password, so that a password alone opens nothing."
      saveLabel="Save two-step sign-in"
      isDirty={dirty}
      toEdit={(over) => ({ setting: toFactorSettings(over, chosen) })}
      toRows={(theirs) => toRows(chosen, readFactorSettings(theirs))}
      onDiscard={() => setEdits(undefined)}
    >
      <ul className="divide-y divide-line">
        {ROWS.map(({ name, label, note, options }) => (
          <li key={name} className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3">
            <div className="min-w-48 flex-1">
              <p className="font-medium">{label}</p>
              <p className="text-[0.8125rem] text-muted">{note}</p>
            </div>
            <Select
              aria-label={label}
              value={chosen[name]}
              options={options}
              onValueChange={(value) => setEdits({ ...edits, [name]: value })}
              className="w-full truncate sm:w-80"
            />
          </li>
        ))}
      </ul>
    </ChosenCard>
  );
}

function toRows(mine: FactorSettings, theirs: FactorSettings) {
  return ROWS.filter(({ name }) => mine[name] !== theirs[name]).map(({ name, label, options }) => {
    const labelOf = (value: string) => options.find((option) => option.value === value)?.label ?? value;
    return { label, mine: labelOf(mine[name]), theirs: labelOf(theirs[name]) };
  });
}
