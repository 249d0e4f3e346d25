import { LIFETIME, lifetimeSeconds } from '../fhir/lifetime.ts';
import type { ProjectSetting } from '../fhir/types.ts';

/** How long what an administrator changes of how somebody signs in waits, while the person may stop it: such as `3d`. */
export const RECOVERY_WAIT = 'recoveryWait';
export const MOST_WAIT_SECONDS = 30 * 86_400;

/** Without the setting nothing waits. */
export function readWaitMs(settings: readonly ProjectSetting[]): number {
  const found = settings.find(({ name }) => name === RECOVERY_WAIT)?.valueString;
  return Math.min(lifetimeSeconds(found) ?? 0, MOST_WAIT_SECONDS) * 1000;
}

/** What is wrong with the setting; undefined for any other, and where nothing is. */
export function findWaitFault({ name, valueString = '' }: ProjectSetting): string | undefined {
  if (name !== RECOVERY_WAIT) return undefined;
  if (!LIFETIME.test(valueString))
    return 'this setting is a number with s, m, h, d or w, such as 3d: it takes valueString';
  return lifetimeSeconds(valueString)! > MOST_WAIT_SECONDS ? 'this setting is 30d at most' : undefined;
}
