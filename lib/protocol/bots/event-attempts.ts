import { AppError } from '#lib/base/errors.ts';

/** On a Bot, as `valueInteger`: how often it is run with a time or a mail until it does not fail, all attempts together. */
export const EVENT_ATTEMPTS = 'urn:gatehouse:bot-event-attempts';
/** As of a Subscription. */
export const MOST_ATTEMPTS = 18;

type Tried = { resourceType: 'Bot'; extension?: { url?: string; valueInteger?: unknown }[] };

/** 1 for a Bot that says nothing of it. Throws 422 with the element that cannot be honoured. */
export function readEventAttempts({ extension = [] }: Tried): number {
  const at = extension.findIndex(({ url }) => url === EVENT_ATTEMPTS);
  if (at < 0) return 1;
  const refused = (text: string) => new AppError('business-rule', text, { expression: `Bot.extension[${at}]` });
  if (extension.filter(({ url }) => url === EVENT_ATTEMPTS).length > 1) throw refused('It stands twice');
  const attempts = extension[at]?.valueInteger;
  if (!Number.isInteger(attempts) || Number(attempts) < 1 || Number(attempts) > MOST_ATTEMPTS)
    throw refused(`Attempts are a valueInteger from 1 to ${MOST_ATTEMPTS}`);
  return Number(attempts);
}
