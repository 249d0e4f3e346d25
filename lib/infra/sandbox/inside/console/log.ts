import { SANDBOX_LIMITS } from '../../host/limits.ts';
import { host } from '../host.ts';
import { head } from '../primordials.ts';

let isFull = false;

export const isLogFull = (): boolean => isFull;

/** A line of the run's log, until that is full. One character more than fits is never needed: the process cuts by bytes and writes the mark. */
export function writeLine(level: string, text: string): void {
  if (!isFull) isFull = !host('log', level, head(text, SANDBOX_LIMITS.logBytes + 1));
}
