/** Raw rows hold times as PostgreSQL writes them; an answer holds instants. */
export function toInstant(text: string): string;
export function toInstant(text: string | null): string | null;
export function toInstant(text: string | null): string | null {
  return text === null ? null : new Date(text).toISOString();
}
