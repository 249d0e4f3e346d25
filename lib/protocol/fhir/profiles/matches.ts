import { isSameJson, numberOf } from '../../json/json.ts';
import { isHolder } from './entries.ts';

/** R4 ElementDefinition fixed[x]: exactly this, in any order of its properties. */
export function isFixed(value: unknown, fixed: unknown): boolean {
  return value !== undefined && isSameJson(value, fixed, numberOf);
}

/** R4 ElementDefinition pattern[x]: at least this; of a list, one item for each that the pattern has. `step` is called for each comparison. */
export function fitsPattern(value: unknown, pattern: unknown, step: () => void): boolean {
  step();
  if (Array.isArray(pattern)) {
    return Array.isArray(value) && pattern.every((part) => value.some((item) => fitsPattern(item, part, step)));
  }
  if (!isHolder(pattern) || numberOf(pattern) !== undefined) return isFixed(value, pattern);
  return isHolder(value) && Object.keys(pattern).every((name) => fitsPattern(value[name], pattern[name], step));
}
