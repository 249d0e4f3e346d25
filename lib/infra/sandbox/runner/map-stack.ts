import { SourceMap } from 'node:module';
import { SANDBOX_LIMITS } from '../host/limits.ts';

/** Of maps that are read at one time in this process: that takes a second, in which it waits, and thirty times the memory. */
const MOST_MAPPED = 4 * 1024 * 1024;

export type StackMap = (stack: string) => string;

/** In the order in which they were used. */
const kept = new Map<string, SourceMap>();

/** Turns a stack of the bundle into one of the bot's source; frames that are not the bot's are left out. Reads the map when it is asked. */
export function createStackMap(sourceMap: string | undefined): StackMap {
  return (stack) => {
    const lines = stack
      .split('\n')
      .filter((line) => !line.includes('sandbox.js:') && !line.includes('(<isolated-vm>)'))
      .slice(0, SANDBOX_LIMITS.stackLines);
    return lines
      .map((line) =>
        line.replace(/\bbot\.js:(\d+):(\d+)/g, (at, row, column) => toSource(sourceMap, +row, +column) ?? at),
      )
      .join('\n')
      .slice(0, SANDBOX_LIMITS.stackCharacters);
  };
}

function toSource(sourceMap: string | undefined, line: number, column: number): string | undefined {
  if (!sourceMap || sourceMap.length > MOST_MAPPED) return undefined;
  try {
    const entry = readMap(sourceMap).findEntry(line - 1, column - 1);
    if (!('originalSource' in entry)) return undefined;
    return `${entry.originalSource.replace(/^.*:/, '')}:${entry.originalLine + 1}:${entry.originalColumn + 1}`;
  } catch {
    return undefined;
  }
}

function readMap(text: string): SourceMap {
  const map = kept.get(text) ?? new SourceMap(JSON.parse(text));
  kept.delete(text);
  kept.set(text, map);
  for (let size = sizeOf(kept); size > MOST_MAPPED; size = sizeOf(kept)) kept.delete(kept.keys().next().value!);
  return map;
}

function sizeOf(maps: Map<string, SourceMap>): number {
  return [...maps.keys()].reduce((sum, { length }) => sum + length, 0);
}
