import { type Hl7Part, outlineHl7 } from './outline.ts';

/** A field that is not as it was; undefined on the side that lacks it. */
export type Hl7Change = { key: string; path: string; before?: string; after?: string };

/** What differs between two messages, field by field: segments of one name are compared in their order. Control characters of the wire do not count. */
export function compareHl7(before: string, after: string): Hl7Change[] {
  const old = fieldsOf(outlineHl7(before));
  const now = fieldsOf(outlineHl7(after));
  const keys = [...new Set([...now.keys(), ...old.keys()])];
  return keys.flatMap((key) => {
    const [was, is] = [old.get(key), now.get(key)];
    return was?.value === is?.value ? [] : [{ key, path: (is ?? was)!.path, before: was?.value, after: is?.value }];
  });
}

/** Whether a text reads as a message. */
export function isHl7(text: string): boolean {
  return /^\s*MSH[^\p{L}\p{N}\s]/u.test(text);
}

function fieldsOf(segments: Hl7Part[]): Map<string, { path: string; value: string }> {
  const seen = new Map<string, number>();
  const fields = new Map<string, { path: string; value: string }>();
  for (const { segment, parts } of segments) {
    const place = (seen.get(segment) ?? 0) + 1;
    seen.set(segment, place);
    const repeated = new Map<number, number>();
    for (const { field = 0, value } of parts) {
      const repetition = (repeated.get(field) ?? 0) + 1;
      repeated.set(field, repetition);
      const path = `${segment}${place > 1 ? `[${place}]` : ''}-${field}${repetition > 1 ? `[${repetition}]` : ''}`;
      fields.set(path, { path, value });
    }
  }
  return fields;
}
