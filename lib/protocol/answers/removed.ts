/** So long a removed membership can come back, with the account that ended with it; then what signed the person in is deleted for good. */
export const REMOVED_KEPT_DAYS = 30;

/** When what was removed at `at` is gone for good. Instants. */
export function toGoneAt(at: string): string {
  return new Date(Date.parse(at) + REMOVED_KEPT_DAYS * 24 * 3_600_000).toISOString();
}
