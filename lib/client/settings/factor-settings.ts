import {
  ALLOWED_METHODS,
  type FactorRequirement,
  REQUIREMENT,
  readAllowedMethods,
  readRequirement,
} from '#lib/protocol/factors/settings.ts';
import type { Project } from '#lib/protocol/fhir/types.ts';

/** What a project asks of sign-in; `allowed` as the setting has it. */
export type FactorSettings = { required: FactorRequirement; allowed: string };

export function readFactorSettings({ setting = [] }: Project): FactorSettings {
  return { required: readRequirement(setting), allowed: readAllowedMethods(setting).join(',') };
}

/** The whole list of settings with these; every other one stays as it is. */
export function toFactorSettings({ setting = [] }: Project, { required, allowed }: FactorSettings): Project['setting'] {
  const others = setting.filter(({ name }) => name !== ALLOWED_METHODS && name !== REQUIREMENT);
  return [...others, { name: REQUIREMENT, valueString: required }, { name: ALLOWED_METHODS, valueString: allowed }];
}
