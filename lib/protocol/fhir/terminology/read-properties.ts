import type { CodeSystem } from './read-concepts.ts';

/** Others are none that a filter can name: they stand in what is read with each code. */
const MOST_PROPERTIES = 1000;
const MAX_NAME = 200;

/** What a filter of a CodeSystem can be by: the properties that it declares, and those that its concepts have all the same. */
export function readProperties({ property = [], concept = [] }: CodeSystem): string[] {
  const names = new Set<string>();
  const add = (code = '') => {
    if (code !== '' && code.length <= MAX_NAME && names.size < MOST_PROPERTIES) names.add(code);
  };
  for (const { code } of property) add(code);
  const waiting = [concept];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    for (const one of next) {
      for (const { code } of one.property ?? []) add(code);
      if (one.concept) waiting.push(one.concept);
    }
  }
  return [...names];
}
