'use client';
import { WAY_NAMES, WaysField } from '#components/ways/ways-field.tsx';
import { useDraft } from '#lib/client/api/use-draft.ts';
import { readWaySettings, toWaySettings, type WaySettings } from '#lib/client/settings/way-settings.ts';
import type { Project, Stored } from '#lib/protocol/fhir/types.ts';
import { WAY_GROUPS, type WayGroup } from '#lib/protocol/sign-in/ways.ts';
import { ChosenCard } from './chosen-card.tsx';

const GROUPS: Record<WayGroup, { label: string; note: string }> = {
  Admin: { label: 'Administrators', note: 'Whatever their profile is' },
  Practitioner: { label: 'Practitioners', note: 'Staff without the admin role' },
  Patient: { label: 'Patients', note: 'A link needs no password that could be forgotten' },
  RelatedPerson: { label: 'Related persons', note: 'Who acts for a patient' },
};

/** By which ways the people of the project sign in. */
export function WaysCard({ project }: { project: Stored<Project> }) {
  const [edits, setEdits] = useDraft<Partial<WaySettings>>(`ways:${project.id}`);
  const stored = readWaySettings(project);
  const chosen: WaySettings = { ...stored, ...edits };
  const edited = WAY_GROUPS.filter((group) => toText(chosen[group]) !== toText(stored[group]));
  const isWhole = WAY_GROUPS.every((group) => chosen[group].length > 0);

  return (
    <ChosenCard
      project={project}
      id="ways"
      title="Ways in"
      description="How people show who they are. One member can be asked for something else, on their page. Sessions that are open go on."
      saveLabel="Save ways in"
      isDirty={edited.length > 0}
      isWhole={isWhole}
      toEdit={(over) => {
        const changed = Object.fromEntries(edited.map((group) => [group, chosen[group]]));
        return { setting: toWaySettings(over, changed) };
      }}
      toRows={(theirs) =>
        edited.map((group) => ({
          label: GROUPS[group].label,
          mine: toText(chosen[group]),
          theirs: toText(readWaySettings(theirs)[group]),
        }))
      }
      onDiscard={() => setEdits(undefined)}
    >
      <ul className="divide-y divide-line">
        {WAY_GROUPS.map((group) => (
          <li key={group} className="py-3">
            <WaysField
              {...GROUPS[group]}
              value={chosen[group]}
              onChange={(ways) => setEdits({ ...edits, [group]: ways })}
            />
          </li>
        ))}
      </ul>
    </ChosenCard>
  );
}

function toText(ways: WaySettings[WayGroup]): string {
  return ways.map((way) => WAY_NAMES[way]).join(', ');
}
