import type { ProjectSetting } from '../fhir/types.ts';

/** Setting of a project: the bot that is told of its mails that did not arrive, or were taken for spam. */
export const MAIL_BOUNCES = 'botMailBounces';

const REFERENCE = /^Bot\/([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})$/;

/** The id of that bot; undefined where none is to be told. */
export function readBouncesBot(settings: readonly ProjectSetting[]): string | undefined {
  return REFERENCE.exec(settings.find(({ name }) => name === MAIL_BOUNCES)?.valueString ?? '')?.[1];
}

/** What is wrong with the setting; undefined for any other. */
export function findBouncesFault({ name, valueString = '' }: ProjectSetting): string | undefined {
  if (name !== MAIL_BOUNCES || REFERENCE.test(valueString)) return undefined;
  return `${MAIL_BOUNCES} is Bot/ and the id of a bot, in small letters (valueString)`;
}
