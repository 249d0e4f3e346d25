import { EVENT_ATTEMPTS } from '#lib/protocol/bots/event-attempts.ts';
import type { Bot } from '#lib/protocol/fhir/types.ts';

/** `attempts`: as it is typed, empty for one. */
export type AttemptsForm = { attempts: string };

type Tried = Pick<Bot, 'extension'>;

export function toAttemptsForm({ extension = [] }: Tried): AttemptsForm {
  return { attempts: String(extension.find(({ url }) => url === EVENT_ATTEMPTS)?.valueInteger ?? '') };
}

/** The same as a Bot has it; what else that has stays. */
export function toAttempts({ attempts }: AttemptsForm, { extension = [] }: Tried): Tried {
  const others = extension.filter(({ url }) => url !== EVENT_ATTEMPTS);
  const own = attempts.trim() ? [{ url: EVENT_ATTEMPTS, valueInteger: Number(attempts) }] : [];
  const all = [...others, ...own];
  return { extension: all.length > 0 ? all : undefined };
}
