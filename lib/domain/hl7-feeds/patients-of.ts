import type { Hl7Message } from '#lib/protocol/hl7/message.ts';
import { Hl7Segment } from '#lib/protocol/hl7/segment.ts';

/** Where identifiers of patients stand: theirs, and those that were merged into them. */
const FIELDS = new Map([
  ['PID', [2, 3, 4]],
  ['MRG', [1]],
]);
const MOST = 100;
const MOST_LENGTH = 200;
/** Of a segment: far behind where those stand. */
const MOST_READ = 64 * 1024;

/** Identifiers of the patients that a message is about, by which it is found when a record is erased. */
export function patientsOf({ separators }: Hl7Message, text: string): string[] {
  const found = new Set<string>();
  let read = 0;
  for (const [line] of text.matchAll(/(?<=^|[\r\n])(?:PID|MRG)[^\r\n]*/g)) {
    if (!line.startsWith(separators.field, 3)) continue;
    read += 1;
    if (read > MOST) break;
    const numbers = FIELDS.get(line.slice(0, 3)) ?? [];
    const segment = Hl7Segment.parse(line.slice(0, MOST_READ), separators);
    for (const number of numbers) {
      for (const [id = ''] of segment.getField(number)?.components.slice(0, MOST) ?? []) found.add(id.trim());
    }
  }
  found.delete('');
  // PostgreSQL keeps no NUL, which an escape sequence may say.
  return [...found].filter((id) => id.length <= MOST_LENGTH && !id.includes('\0')).slice(0, MOST);
}
