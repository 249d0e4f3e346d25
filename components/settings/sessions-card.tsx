'use client';
import { Field } from '#components/ui/form/field.tsx';
import { Input } from '#components/ui/form/input.tsx';
import { Select } from '#components/ui/form/select.tsx';
import { useDraft } from '#lib/client/api/use-draft.ts';
import {
  readSessionSettings,
  SESSION_SETTINGS,
  type SessionSettings,
  toSessionSettings,
} from '#lib/client/settings/session-settings.ts';
import type { Project, Stored } from '#lib/protocol/fhir/types.ts';
import { ChosenCard } from './chosen-card.tsx';

const TIMES: Record<string, string> = {
  '5m': '5 minutes',
  '15m': '15 minutes',
  '30m': '30 minutes',
  '1h': 'an hour',
  '8h': '8 hours',
  '1d': 'a day',
  '1w': 'a week',
  '4w': '4 weeks',
};
/** A Select has no empty value. */
const UNSAID = 'unsaid';

const LABELS: Record<keyof SessionSettings, string> = {
  sessionIdleLimit: 'Ends when it was not used for',
  sessionLifetime: 'Ends however much it is used after',
  accessTokenLifetime: 'An access token lives for',
  refreshTokenLifetime: 'A refresh token lives for',
  allowedAddresses: 'Allowed addresses',
};

const ROWS = [
  { name: 'sessionIdleLimit', none: 'No limit', times: ['15m', '30m', '1h', '8h', '1d'] },
  { name: 'sessionLifetime', none: 'No limit', times: ['8h', '1d', '1w', '4w'] },
  { name: 'accessTokenLifetime', none: 'As each client says: an hour', times: ['5m', '15m', '30m', '1h'] },
  { name: 'refreshTokenLifetime', none: 'As each client says: two weeks', times: ['1h', '8h', '1d', '1w'] },
] as const;

/** How long sessions of the project live at most, and from where they come. */
export function SessionsCard({ project }: { project: Stored<Project> }) {
  const [edits, setEdits] = useDraft<Partial<SessionSettings>>(`sessions:${project.id}`);
  const stored = readSessionSettings(project);
  const chosen: SessionSettings = { ...stored, ...edits };
  const dirty = SESSION_SETTINGS.some((name) => chosen[name].trim() !== stored[name]);
  const put = (name: keyof SessionSettings, value: string) => setEdits({ ...edits, [name]: value });

  return (
    <ChosenCard
      project={project}
      id="sessions"
      title="Sessions"
      description="Holds for everybody and every app of the project, at once. Where a client has a shorter life of its own, that holds."
      saveLabel="Save sessions"
      isDirty={dirty}
      toEdit={(over) => ({ setting: toSessionSettings(over, chosen) })}
      toRows={(theirs) => toRows(chosen, readSessionSettings(theirs))}
      onDiscard={() => setEdits(undefined)}
    >
      <ul className="divide-y divide-line">
        {ROWS.map(({ name, none, times }) => (
          <li key={name} className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3">
            <p className="min-w-48 flex-1 font-medium">{LABELS[name]}</p>
            <Select
              aria-label={LABELS[name]}
              value={chosen[name] || UNSAID}
              options={toOptions(none, times, chosen[name])}
              onValueChange={(value) => put(name, value === UNSAID ? '' : value)}
              className="w-full truncate sm:w-80"
            />
          </li>
        ))}
      </ul>
      <Field
        label={LABELS.allowedAddresses}
        description="Addresses or networks, such as 203.0.113.0/24 or 2001:db8::/32, with commas. Empty: from anywhere. Yours must be among them."
        className="mt-3"
      >
        <Input
          value={chosen.allowedAddresses}
          onChange={(event) => put('allowedAddresses', event.target.value)}
          spellCheck={false}
          autoComplete="off"
          className="font-mono"
        />
      </Field>
    </ChosenCard>
  );
}

/** What was set by the API stays to be seen. */
function toOptions(none: string, times: readonly string[], chosen: string) {
  const all = chosen !== '' && !times.includes(chosen) ? [...times, chosen] : times;
  return [{ value: UNSAID, label: none }, ...all.map((value) => ({ value, label: TIMES[value] ?? value }))];
}

function toRows(mine: SessionSettings, theirs: SessionSettings) {
  const differ = SESSION_SETTINGS.filter((name) => mine[name].trim() !== theirs[name]);
  const say = (text: string) => TIMES[text] ?? text;
  return differ.map((name) => ({ label: LABELS[name], mine: say(mine[name]), theirs: say(theirs[name]) }));
}
