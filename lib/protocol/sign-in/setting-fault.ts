import type { Issue } from '#lib/base/errors.ts';
import { findWaitFault } from '../account-changes/wait.ts';
import { findQuotaFault } from '../bots/event-quota.ts';
import { findBouncesFault } from '../bots/mail-bounces.ts';
import { findGlassFault } from '../break-glass/settings.ts';
import { findFault } from '../factors/settings.ts';
import type { Project, ProjectSetting } from '../fhir/types.ts';
import { findRequirementFault } from '../policies/policy-required.ts';
import { findBoundsFault } from './bounds.ts';
import { findWaysFault } from './ways.ts';

/** What is wrong with a setting that Gatehouse itself looks at; undefined for any other, and where nothing is. */
export function findSettingFault(setting: ProjectSetting): string | undefined {
  return (
    findFault(setting) ??
    findWaysFault(setting) ??
    findBoundsFault(setting) ??
    findWaitFault(setting) ??
    findQuotaFault(setting) ??
    findBouncesFault(setting) ??
    findGlassFault(setting) ??
    findRequirementFault(setting)
  );
}

/** All that is wrong with the settings of a project: one that nobody reads would be believed. */
export function settingFaults({ setting = [] }: Pick<Project, 'setting'>): Issue[] {
  return setting.flatMap((item, index) => {
    const text = findSettingFault(item);
    return text === undefined ? [] : [{ text, expression: `Project.setting[${index}]` }];
  });
}
