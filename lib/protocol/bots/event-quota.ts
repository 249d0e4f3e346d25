import type { ProjectSetting } from '../fhir/types.ts';

/** Setting of a project: how many events its bots are run with in an hour, at most. What is over waits for the next hour. */
export const EVENTS_PER_HOUR = 'botEventsPerHour';
/** Where nothing is set, and as much as may be set. */
export const MOST_EVENTS_PER_HOUR = 1_000_000;

/** What is wrong with the setting; undefined for any other. */
export function findQuotaFault({ name, valueInteger }: ProjectSetting): string | undefined {
  if (name !== EVENTS_PER_HOUR) return undefined;
  const isSound = Number.isInteger(valueInteger) && valueInteger! >= 1 && valueInteger! <= MOST_EVENTS_PER_HOUR;
  return isSound ? undefined : `${EVENTS_PER_HOUR} is a whole number (valueInteger) from 1 to ${MOST_EVENTS_PER_HOUR}`;
}
