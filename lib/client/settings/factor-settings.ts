import { RECOVERY_WAIT } from '#lib/protocol/account-changes/wait.ts';
import {
  ALLOWED_METHODS,
  type FactorRequirement,
  REQUIREMENT,
  readAllowedMethods,
  readRequirement,
} from '#lib/protocol/factors/settings.ts';
import type { Project } from '#lib/protocol/fhir/types.ts';

/** What a project asks of sign-in; `allowed` and `wait` as the settings have them, `wait` empty where nothing waits. */
export type FactorSettings = { required: FactorRequirement; allowed: string; wait: string };

export function readFactorSettings({ setting = [] }: Project): FactorSettings {
  const wait = setting.find(({ name }) => name === RECOVERY_WAIT)?.valueString ?? '';
  return { required: readRequirement(setting), allowed: readAllowedMethods(setting).join(','), wait };
}

/** The whole list of settings with these; every other one stays as it is. */
export function toFactorSettings(
  { setting = [] }: Project,
  { required, allowed, wait }: FactorSettings,
): Project['setting'] {
  const others = setting.filter(({ name }) => ![ALLOWED_METHODS, REQUIREMENT, RECOVERY_WAIT].includes(name));
  return [
    ...others,
    { name: REQUIREMENT, valueString: required },
    { name: ALLOWED_METHODS, valueString: allowed },
    ...(wait ? [{ name: RECOVERY_WAIT, valueString: wait }] : []),
  ];
}
