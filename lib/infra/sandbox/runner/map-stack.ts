import { SourceMap } from 'node:module';
import { SANDBOX_LIMITS } from '../host/limits.ts';

/** Reading a map takes a second for so many characters, and the process waits. */
const MOST_MAPPED = 4 * 1024 * 1024;

export type StackMap = (stack: string) => string;

/** Turns a stack of the bundle into one of the bot's source; frames that are not the bot's are left out. Reads the map when first asked. */
export function createStackMap(sourceMap: string | undefined): StackMap {
  let map: SourceMap | undefined;
  return (stack) => {
    const lines = stack
      .split('\n')
      .filter((line) => !line.includes('sandbox.js:') && !line.includes('(<isolated-vm>)'))
      .slice(0, SANDBOX_LIMITS.stackLines);
    if (!sourceMap || sourceMap.length > MOST_MAPPED) return lines.join('\n');
    map ??= new SourceMap(JSON.parse(sourceMap));
    return lines
      .map((line) => line.replace(/\bbot\.js:(\d+):(\d+)/g, (at, row, column) => toSource(map!, +row, +column) ?? at))
      .join('\n');
  };
}

function toSource(map: SourceMap, line: number, column: number): string | undefined {
  const entry = map.findEntry(line - 1, column - 1);
  if (!('originalSource' in entry)) return undefined;
  return `${entry.originalSource.replace(/^.*:/, '')}:${entry.originalLine + 1}:${entry.originalColumn + 1}`;
}
