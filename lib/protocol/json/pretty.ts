/** Deeper levels are not indented further: what is nested a thousand times would grow by its square. */
const MOST_INDENT = 24;
const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s"{}[\],:]+/g;

/** JSON text with a line for each value, two spaces a level. From text to text, so that 1.50 stays 1.50. `text` is valid JSON. */
export function pretty(text: string): string {
  let depth = 0;
  let out = '';
  // Whether something of this object or list was written.
  let isEmpty = false;
  const line = () => `\n${'  '.repeat(Math.min(depth, MOST_INDENT))}`;
  for (const [token] of text.matchAll(TOKEN)) {
    if (token === '}' || token === ']') {
      depth -= 1;
      out += isEmpty ? token : line() + token;
      isEmpty = false;
      continue;
    }
    if (isEmpty) out += line();
    isEmpty = token === '{' || token === '[';
    if (isEmpty) depth += 1;
    if (token === ',') out += `,${line()}`;
    else out += token === ':' ? ': ' : token;
  }
  return `${out}\n`;
}
