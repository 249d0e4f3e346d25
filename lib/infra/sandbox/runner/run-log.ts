import { SANDBOX_LIMITS } from '../host/limits.ts';

const { logBytes, logLineBytes } = SANDBOX_LIMITS;

/**
 * Hands on what a run writes, up to 64 KiB of it, with a mark where it is cut. Each line counts for more than its text: empty ones are not
 * free. The function returns whether a line was handed on whole.
 */
export function createRunLog<Level>(
  write: (level: Level, text: string) => void,
): (level: Level, text: string) => boolean {
  let used = 0;
  let isFull = false;
  return (level, text) => {
    if (isFull) return false;
    const bytes = Buffer.from(text);
    const room = logBytes - used - logLineBytes;
    isFull = bytes.length > room;
    used += bytes.length + logLineBytes;
    write(level, isFull ? `${textOf(bytes.subarray(0, Math.max(room, 0)))}… (log cut at 64 KiB)` : text);
    return !isFull;
  };
}

/** Without the half of a character at its end. */
function textOf(bytes: Buffer): string {
  return bytes.toString().replace(/\uFFFD$/, '');
}
