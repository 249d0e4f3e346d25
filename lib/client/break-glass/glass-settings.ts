import { GLASS_HOLDERS, GLASS_MINUTES, GLASS_POLICY, GLASS_SETTINGS } from '#lib/protocol/break-glass/settings.ts';
import type { Project } from '#lib/protocol/fhir/types.ts';

/** As the settings have it; `policy` is empty where there is no emergency access. */
export type GlassSettings = { policy: string; holders: string[]; minutes: number };

const HOUR = 60;

export function readGlassSettings({ setting = [] }: Project): GlassSettings {
  const find = (name: string) => setting.find((item) => item.name === name);
  return {
    policy: find(GLASS_POLICY)?.valueString ?? '',
    holders: (find(GLASS_HOLDERS)?.valueString ?? '').split(/[\s,]+/).filter((one) => one !== ''),
    minutes: find(GLASS_MINUTES)?.valueInteger ?? HOUR,
  };
}

/** The whole list of settings with these; every other one stays as it is. */
export function toGlassSettings(
  { setting = [] }: Project,
  { policy, holders, minutes }: GlassSettings,
): NonNullable<Project['setting']> {
  const others = setting.filter(({ name }) => !GLASS_SETTINGS.includes(name));
  if (policy === '') return others;
  return [
    ...others,
    { name: GLASS_POLICY, valueString: policy },
    { name: GLASS_HOLDERS, valueString: holders.join(',') },
    ...(minutes === HOUR ? [] : [{ name: GLASS_MINUTES, valueInteger: minutes }]),
  ];
}
