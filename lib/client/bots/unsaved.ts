/** Unsaved code of a bot, and the version of the Bot it was begun on. Kept in this tab only. */
export type Unsaved = { code: string; version: number };

const keyOf = (botId: string) => `gatehouse:unsaved:${botId}`;

export function keepUnsaved(botId: string, unsaved: Unsaved): void {
  try {
    sessionStorage.setItem(keyOf(botId), JSON.stringify(unsaved));
  } catch {
    // Full, or switched off: then a reload asks before it forgets.
  }
}

export function dropUnsaved(botId: string): void {
  sessionStorage.removeItem(keyOf(botId));
}

export function takeUnsaved(botId: string): Unsaved | undefined {
  const text = sessionStorage.getItem(keyOf(botId));
  if (!text) return undefined;
  const { code, version } = JSON.parse(text) as Partial<Unsaved>;
  return typeof code === 'string' && typeof version === 'number' ? { code, version } : undefined;
}
