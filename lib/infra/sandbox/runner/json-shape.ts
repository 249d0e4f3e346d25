export type JsonShape = { depth: number; values: number };

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const OPEN: ReadonlySet<number> = new Set([0x5b, 0x7b]);
const CLOSE: ReadonlySet<number> = new Set([0x5d, 0x7d]);

/** How deep and how many the values of a JSON text are, in one pass and without building them; of text that is no JSON, a guess. */
export function jsonShape(text: string): JsonShape {
  let level = 0;
  let depth = 0;
  let values = 1;
  for (let index = 0; index < text.length; index += 1) {
    const char = text.charCodeAt(index);
    if (char === QUOTE) index = endOfString(text, index);
    else if (char === COMMA) values += 1;
    else if (OPEN.has(char)) {
      level += 1;
      values += 1;
      if (level > depth) depth = level;
    } else if (CLOSE.has(char)) level -= 1;
  }
  return { depth, values };
}

/** Index of the closing quote, or of the end. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end > 0 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end < 0 ? text.length : end;
}

function isEscaped(text: string, index: number): boolean {
  let before = index;
  while (text.charCodeAt(before - 1) === BACKSLASH) before -= 1;
  return (index - before) % 2 === 1;
}
