import type { Project } from '#lib/protocol/fhir/types.ts';
import {
  ACCESS_LIFETIME,
  ALLOWED_ADDRESSES,
  IDLE_LIMIT,
  REFRESH_LIFETIME,
  SESSION_LIFETIME,
} from '#lib/protocol/sign-in/bounds.ts';

export const SESSION_SETTINGS = [
  IDLE_LIMIT,
  SESSION_LIFETIME,
  ACCESS_LIFETIME,
  REFRESH_LIFETIME,
  ALLOWED_ADDRESSES,
] as const;
/** As the settings have them; empty where they say nothing. */
export type SessionSettings = Record<(typeof SESSION_SETTINGS)[number], string>;

export function readSessionSettings({ setting = [] }: Project): SessionSettings {
  const textOf = (wanted: string) => setting.find(({ name }) => name === wanted)?.valueString ?? '';
  return Object.fromEntries(SESSION_SETTINGS.map((name) => [name, textOf(name)])) as SessionSettings;
}

/** The whole list of settings with these; what is empty is not said, and every other one stays as it is. */
export function toSessionSettings({ setting = [] }: Project, chosen: SessionSettings): Project['setting'] {
  const others = setting.filter(({ name }) => !SESSION_SETTINGS.some((one) => one === name));
  const said = SESSION_SETTINGS.map((name) => ({ name, valueString: chosen[name].trim() }));
  return [...others, ...said.filter(({ valueString }) => valueString !== '')];
}
