import type { Project } from '#lib/protocol/fhir/types.ts';
import { readWays, WAY_GROUPS, type Way, type WayGroup, waysOf, waysSetting } from '#lib/protocol/sign-in/ways.ts';

export type WaySettings = Record<WayGroup, Way[]>;

/** By which ways each group signs in now. Administrators of whom nothing is said are as practitioners are. */
export function readWaySettings({ setting = [] }: Project): WaySettings {
  const now = (group: WayGroup) => {
    const profile = { reference: `${group === 'Admin' ? 'Practitioner' : group}/` };
    return waysOf(setting, { admin: group === 'Admin', profile });
  };
  return Object.fromEntries(WAY_GROUPS.map((group) => [group, now(group)])) as WaySettings;
}

/** The whole list of settings with what was edited; of what was not, and never said, nothing is said. */
export function toWaySettings({ setting = [] }: Project, edits: Partial<WaySettings>): Project['setting'] {
  const names = new Set<string>(WAY_GROUPS.map(waysSetting));
  const said = WAY_GROUPS.flatMap((group) => {
    const ways = edits[group] ?? readWays(setting, group);
    return ways ? [{ name: waysSetting(group), valueString: ways.join(',') }] : [];
  });
  return [...setting.filter(({ name }) => !names.has(name)), ...said];
}
