import { SourceMap } from 'node:module';

/** A stack of the bundle as a stack of the bot's source; frames that are not the bot's are left out. */
export function mapStack(stack: string, sourceMap: string | undefined): string {
  const lines = stack.split('\n').filter((line) => !line.includes('sandbox.js:') && !line.includes('(<isolated-vm>)'));
  if (!sourceMap) return lines.join('\n');
  const map = new SourceMap(JSON.parse(sourceMap));
  return lines
    .map((line) => line.replace(/\bbot\.js:(\d+):(\d+)/g, (at, row, column) => toSource(map, +row, +column) ?? at))
    .join('\n');
}

function toSource(map: SourceMap, line: number, column: number): string | undefined {
  const entry = map.findEntry(line - 1, column - 1);
  if (!('originalSource' in entry)) return undefined;
  return `${entry.originalSource.replace(/^.*:/, '')}:${entry.originalLine + 1}:${entry.originalColumn + 1}`;
}
