import type { BotRow } from '#lib/protocol/bots/bots.ts';

/** `system|value`, as `$execute?identifier=` takes it. */
export function toIdentifierText({ system, value = '' }: { system?: string; value?: string }): string {
  return system ? `${system}|${value}` : value;
}

export function toPercent(bot: BotRow): string | undefined {
  return bot.successPercent === null ? undefined : `${Math.floor(bot.successPercent * 10) / 10} %`;
}

/** "840 ms", "1.2 s", "2 min 5 s". */
export function toDuration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  return `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1000)} s`;
}
