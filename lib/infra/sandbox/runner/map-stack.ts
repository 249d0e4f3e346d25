import { SourceMap } from 'node:module';
import { SANDBOX_LIMITS } from '../host/limits.ts';

/** Of maps that are read at one time in this process: that takes a second, in which it waits, and thirty times the memory. */
const MOST_MAPPED = 4 * 1024 * 1024;

export type StackMap = {
  /** A stack of the bundle as one of the bot's source; frames that are not the bot's are left out. */
  ofFailure(stack: string): string;
  /** A line of the log with the stacks that stand in it, as they are. */
  ofLog(text: string): string;
};

/** In the order in which they were used. */
const kept = new Map<string, SourceMap>();

/** Reads the map when it is asked. */
export function createStackMap(sourceMap: string | undefined): StackMap {
  return {
    ofFailure(stack) {
      const lines = stack.split('\n').filter(isTheirs).slice(0, SANDBOX_LIMITS.stackLines);
      return lines.map(toPlace).join('\n').slice(0, SANDBOX_LIMITS.stackCharacters);
    },
    ofLog(text) {
      if (!OURS.test(text) && !text.includes('bot.js:')) return text;
      const lines: string[] = [];
      for (const line of text.split('\n')) {
        if (!FRAME.test(line)) lines.push(line);
        else if (isTheirs(line)) lines.push(toPlace(line));
        // What it ends with belongs to the error: ` {` before what that has beside its stack.
        else lines.push(`${lines.pop() ?? ''}${line.replace(PLACE, '')}`);
      }
      return lines.join('\n');
    },
  };

  function toPlace(line: string): string {
    return line.replace(/\bbot\.js:(\d+):(\d+)/g, (at, row, column) => toSource(sourceMap, +row, +column) ?? at);
  }
}

const FRAME = /^ *at /;
const OURS = /sandbox\.js:|\(<isolated-vm>\)/;
const PLACE = /^.*(?::\d+:\d+\)?|\(<isolated-vm>\))/;
const isTheirs = (line: string) => !OURS.test(line);

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
