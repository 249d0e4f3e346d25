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

/** A Select has no empty value. */
const AT_ONCE = 'at-once';
const WAITS: Record<string, string> = { '1d': 'A day', '3d': '3 days', '1w': 'A week' };

/** What was set by the API stays to be seen. */
function toWaits(wait: string) {
  const all = wait && !WAITS[wait] ? [...Object.keys(WAITS), wait] : Object.keys(WAITS);
  return [
    { value: AT_ONCE, label: 'Nothing: it is done at once' },
    ...all.map((value) => ({ value, label: toWait(value) })),
  ];
}

function toWait(wait: string): string {
  return wait ? (WAITS[wait] ?? wait) : 'Nothing';
}

/** What the project asks of its members' sign-in, beside the password. */
export function TwoStepSettingsCard({ project }: { project: Stored<Project> }) {
  const [edits, setEdits] = useDraft<Partial<FactorSettings>>(`two-step:${project.id}`);
  const stored = readFactorSettings(project);
  const chosen: FactorSettings = { ...stored, ...edits };
  const dirty = ROWS.some(({ name }) => chosen[name] !== stored[name]) || chosen.wait !== stored.wait;

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
        <li className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3">
          <div className="min-w-48 flex-1">
            <p className="font-medium">What a reset by an administrator waits for</p>
            <p className="text-[0.8125rem] text-muted">
              A new address that they give waits as long. The person hears of both at once by mail, and can stop them
            </p>
          </div>
          <Select
            aria-label="What a reset by an administrator waits for"
            value={chosen.wait || AT_ONCE}
            options={toWaits(chosen.wait)}
            onValueChange={(value) => setEdits({ ...edits, wait: value === AT_ONCE ? '' : value })}
            className="w-full truncate sm:w-80"
          />
        </li>
      </ul>
    </ChosenCard>
  );
}

function toRows(mine: FactorSettings, theirs: FactorSettings) {
  const waits = { label: 'A reset waits for', mine: toWait(mine.wait), theirs: toWait(theirs.wait) };
  const rows = ROWS.filter(({ name }) => mine[name] !== theirs[name]).map(({ name, label, options }) => {
    const labelOf = (value: string) => options.find((option) => option.value === value)?.label ?? value;
    return { label, mine: labelOf(mine[name]), theirs: labelOf(theirs[name]) };
  });
  return mine.wait === theirs.wait ? rows : [...rows, waits];
}
