import { parseAsString, parseAsStringLiteral } from 'nuqs';
import type { BotRow } from '#lib/protocol/bots/bots.ts';
import { BOT_TRIGGERS, TRIGGERS } from '#lib/protocol/bots/triggers.ts';
import { toIdentifierText } from '../facts.ts';

export const ALL = 'all';

const STATES = {
  [ALL]: { label: 'All bots', is: () => true },
  failing: { label: 'Failing', is: (bot: BotRow) => bot.failing },
  ahead: { label: 'Draft ahead', is: (bot: BotRow) => bot.live !== null && bot.draft },
  undeployed: { label: 'Not deployed', is: (bot: BotRow) => bot.live === null },
  off: { label: 'Off', is: (bot: BotRow) => bot.isOff },
};
export type BotState = keyof typeof STATES;
const NAMES = Object.keys(STATES) as BotState[];

export const STATE_OPTIONS: { value: BotState; label: string }[] = NAMES.map((value) => ({
  value,
  label: STATES[value].label,
}));
export const TRIGGER_OPTIONS: { value: BotFilter['trigger']; label: string }[] = [
  { value: ALL, label: 'Any trigger' },
  ...BOT_TRIGGERS.map((value) => ({ value, label: TRIGGERS[value] })),
];

/** What the address says of the list. */
export const parsers = {
  q: parseAsString.withDefault(''),
  show: parseAsStringLiteral(NAMES).withDefault(ALL),
  trigger: parseAsStringLiteral([ALL, ...BOT_TRIGGERS] as const).withDefault(ALL),
  category: parseAsString.withDefault(ALL),
};
export type BotFilter = { q: string; show: BotState; trigger: 'all' | BotRow['triggers'][number]; category: string };

export function fits(bot: BotRow, { q, show, trigger, category }: BotFilter): boolean {
  const words = q.trim().toLowerCase();
  const texts = [bot.name, bot.description ?? '', ...bot.identifier.map(toIdentifierText)];
  return (
    STATES[show].is(bot) &&
    (trigger === ALL || bot.triggers.includes(trigger)) &&
    (category === ALL || bot.category.includes(category)) &&
    texts.some((text) => text.toLowerCase().includes(words))
  );
}

export function isFiltered({ q, show, trigger, category }: BotFilter): boolean {
  return q !== '' || show !== ALL || trigger !== ALL || category !== ALL;
}

/** Those that the bots have, and the one that is asked for; none where no bot has any. */
export function categoryOptions(bots: readonly BotRow[], asked: string): { value: string; label: string }[] {
  const all = new Set(bots.flatMap(({ category }) => category));
  if (asked !== ALL) all.add(asked);
  if (all.size === 0) return [];
  const sorted = [...all].sort((a, b) => a.localeCompare(b));
  return [{ value: ALL, label: 'Any category' }, ...sorted.map((value) => ({ value, label: value }))];
}
