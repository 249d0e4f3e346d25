import { createHash } from 'node:crypto';
import type { RunState } from '#lib/protocol/bots/bots.ts';

const MOST_LOOKED_AT = 1000;

/**
 * The same for failures that are one fault: how the run ended, the class of the error, the topmost frame of the bot's own code, and what was said
 * without what differs from run to run: ids, numbers, quoted values, what is masked.
 */
export function fingerprintOf(status: RunState, message: string): string {
  const lines = message.split('\n');
  const frame = lines.find((line) => /^\s+at /.test(line)) ?? '';
  const said = lines[0]!
    .slice(0, MOST_LOOKED_AT)
    .replaceAll(/"[^"]*"|'[^']*'|`[^`]*`|“[^”]*”/g, '""')
    .replaceAll(/[\w-]*\d[\w-]*|•••/g, '0')
    .replaceAll(/\s+/g, ' ');
  return createHash('sha256')
    .update(JSON.stringify([status, said, frame.trim()]))
    .digest('hex')
    .slice(0, 16);
}
