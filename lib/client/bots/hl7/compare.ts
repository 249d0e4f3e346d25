import { type Hl7Part, outlineHl7 } from './outline.ts';

/** A field that is not as it was; undefined on the side that lacks it. */
export type Hl7Change = { key: string; path: string; before?: string; after?: string };

/** `isCut`: one has more segments than are compared. */
type Hl7Difference = { changes: Hl7Change[]; isCut: boolean };

/** So many segments of each, that the page does not stand still; one with more fields than that is compared as a whole. */
export const MOST_COMPARED = 10_000;

/** What differs between two messages, field by field: segments of one name are compared in their order. Control characters of the wire do not count. */
export function compareHl7(before: string, after: string): Hl7Difference {
  const [old, now] = [segmentsOf(before), segmentsOf(after)];
  const names = [...new Set([...now.segments.keys(), ...old.segments.keys()])];
  const changes = names.flatMap((name) => {
    const [was, is] = [old.segments.get(name), now.segments.get(name)];
    return was?.value === is?.value ? [] : compareFields(fieldsOf(name, was), fieldsOf(name, is));
  });
  return { changes, isCut: old.isCut || now.isCut };
}

/** Whether a text reads as a message. */
export function isHl7(text: string): boolean {
  return /^\s*MSH[^\p{L}\p{N}\s]/u.test(text);
}

/** By their names: the second of one has a number, as in `NTE[2]`. */
function segmentsOf(text: string): { segments: Map<string, Hl7Part>; isCut: boolean } {
  const outline = outlineHl7(text, MOST_COMPARED + 1);
  const seen = new Map<string, number>();
  const segments = new Map<string, Hl7Part>();
  for (const part of outline.slice(0, MOST_COMPARED)) {
    const place = (seen.get(part.segment) ?? 0) + 1;
    seen.set(part.segment, place);
    segments.set(`${part.segment}${place > 1 ? `[${place}]` : ''}`, part);
  }
  return { segments, isCut: outline.length > MOST_COMPARED };
}

function fieldsOf(name: string, segment: Hl7Part | undefined): Map<string, string> {
  const fields = new Map<string, string>();
  if (!segment) return fields;
  if (segment.parts.length > MOST_COMPARED) return fields.set(name, segment.value);
  const repeated = new Map<number, number>();
  for (const { field = 0, value } of segment.parts) {
    const repetition = (repeated.get(field) ?? 0) + 1;
    repeated.set(field, repetition);
    fields.set(`${name}-${field}${repetition > 1 ? `[${repetition}]` : ''}`, value);
  }
  return fields;
}

function compareFields(old: Map<string, string>, now: Map<string, string>): Hl7Change[] {
  return [...new Set([...now.keys(), ...old.keys()])].flatMap((path) => {
    const [before, after] = [old.get(path), now.get(path)];
    return before === after ? [] : [{ key: path, path, before, after }];
  });
}
