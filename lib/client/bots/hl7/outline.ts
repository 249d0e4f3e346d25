import { HL7_SEPARATORS, type Hl7Separators, readSeparators } from '#lib/protocol/hl7/encoding.ts';

/** A segment, field, repetition or component: its place as HL7 writes it (`PID`, `PID-3`, `PID-3.1`), and from where to where it stands in the text. */
export type Hl7Part = {
  /** Names it in the tree: what is said twice has two. */
  key: string;
  path: string;
  segment: string;
  /** HL7's number of the field, from 1. */
  field?: number;
  component?: number;
  from: number;
  to: number;
  value: string;
  parts: Hl7Part[];
};

/** More lines than any message of people has; what is behind is not outlined. */
const MOST_SEGMENTS = 500;

/** What a message consists of; what does not read as one has its lines as segments all the same, since it is being written. Empty fields are left out. */
export function outlineHl7(text: string, most = MOST_SEGMENTS): Hl7Part[] {
  const separators = separatorsOf(text);
  const segments: Hl7Part[] = [];
  for (const line of text.matchAll(/[^\r\n]+/g)) {
    if (segments.length === most) break;
    if (line[0].trim() !== '') segments.push(toSegment(line[0], line.index, segments.length, separators));
  }
  return segments;
}

function separatorsOf(text: string): Hl7Separators {
  try {
    return readSeparators(text.trimStart());
  } catch {
    return HL7_SEPARATORS;
  }
}

function toSegment(line: string, start: number, at: number, separators: Hl7Separators): Hl7Part {
  const pieces = split(line, start, separators.field);
  const [name] = pieces;
  const segment = name!.value.trim();
  const isHeader = segment === 'MSH';
  const parts = pieces.slice(1).flatMap((piece, index) => {
    // MSH-1 is the separator itself (HL7 v2.5.1 §2.15.9), and MSH-2 is not divided by what it tells.
    const field = isHeader ? index + 2 : index + 1;
    const isLiteral = isHeader && field === 2;
    return piece.value === '' ? [] : toField(segment, at, field, piece, isLiteral ? undefined : separators);
  });
  return { key: `${at}`, path: segment, segment, from: start, to: start + line.length, value: line, parts };
}

function toField(
  segment: string,
  at: number,
  field: number,
  piece: Piece,
  separators: Hl7Separators | undefined,
): Hl7Part[] {
  const path = `${segment}-${field}`;
  const whole = { segment, field, path };
  if (!separators) return [{ key: `${at}-${field}`, ...whole, ...piece, parts: [] }];
  return split(piece.value, piece.from, separators.repetition).map((repetition, index) => {
    const key = `${at}-${field}-${index}`;
    const components = split(repetition.value, repetition.from, separators.component);
    const parts =
      components.length < 2
        ? []
        : components.flatMap((component, position): Hl7Part[] => {
            if (component.value === '') return [];
            const number = position + 1;
            return [
              {
                ...whole,
                key: `${key}-${number}`,
                path: `${path}.${number}`,
                component: number,
                ...component,
                parts: [],
              },
            ];
          });
    return { ...whole, key, ...repetition, parts };
  });
}

type Piece = { value: string; from: number; to: number };

function split(text: string, start: number, separator: string): Piece[] {
  if (separator === '') return [{ value: text, from: start, to: start + text.length }];
  let from = start;
  return text.split(separator).map((value) => {
    const piece = { value, from, to: from + value.length };
    from += value.length + separator.length;
    return piece;
  });
}
