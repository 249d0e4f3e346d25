import { SANDBOX_LIMITS } from '../host/limits.ts';

/** Hands on what a run writes, up to 64 KiB of it, with a mark where it is cut. The function returns whether a line was handed on whole. */
export function createRunLog<Level>(
  write: (level: Level, text: string) => void,
): (level: Level, text: string) => boolean {
  let used = 0;
  return (level, text) => {
    const room = SANDBOX_LIMITS.logBytes - used;
    const bytes = Buffer.from(text);
    used += bytes.length;
    const isCut = bytes.length > room;
    if (room > 0) write(level, isCut ? `${textOf(bytes.subarray(0, room))}… (log cut at 64 KiB)` : text);
    return !isCut;
  };
}

/** Without the half of a character at its end. */
function textOf(bytes: Buffer): string {
  return bytes.toString().replace(/\uFFFD$/, '');
}
