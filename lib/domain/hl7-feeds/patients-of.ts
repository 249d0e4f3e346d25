import type { Hl7Message } from '#lib/protocol/hl7/message.ts';

/** Where identifiers of patients stand: theirs, and those that were merged into them. */
const FIELDS = [
  ['PID', [2, 3, 4]],
  ['MRG', [1]],
] as const;
const MOST = 100;
const MOST_LENGTH = 200;

/** Identifiers of the patients that a message is about, by which it is found when a record is erased. */
export function patientsOf(message: Hl7Message): string[] {
  const found = new Set<string>();
  for (const [name, numbers] of FIELDS) {
    for (const segment of message.getAllSegments(name).slice(0, MOST)) {
      for (const number of numbers) {
        for (const [id = ''] of segment.getField(number)?.components.slice(0, MOST) ?? []) found.add(id.trim());
      }
    }
  }
  found.delete('');
  // PostgreSQL keeps no NUL, which an escape sequence may say.
  return [...found].filter((id) => id.length <= MOST_LENGTH && !id.includes('\0')).slice(0, MOST);
}
