import type { BotRow } from '#lib/protocol/bots/bots.ts';
import { TRIGGERS, type Trigger } from '#lib/protocol/bots/triggers.ts';

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

/** "840 bytes", "1.2 kB", "12 MB". */
export function toSize(bytes: number): string {
  if (bytes < 1000) return `${bytes} ${bytes === 1 ? 'byte' : 'bytes'}`;
  const [value, unit] = bytes < 1_000_000 ? [bytes / 1000, 'kB'] : [bytes / 1_000_000, 'MB'];
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${unit}`;
}

/** The heap that a run ended with. */
export function toMemory({ heapKb }: { heapKb: number | null }): string {
  return heapKb === null ? 'Unknown' : toSize(heapKb * 1024);
}

/** By its name in `TRIGGERS`; one that is not there yet, or not any more, by itself. */
export function toTriggerName(trigger: string): string {
  return Object.hasOwn(TRIGGERS, trigger) ? TRIGGERS[trigger as Trigger] : trigger;
}
