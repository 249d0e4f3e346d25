import { MOST_VALUES } from './bundle-limits.ts';

/** How many values the body of a resource may have, where that is more than of others: code systems are long. */
export function mostValues(type: string | undefined): number | undefined {
  return type === 'CodeSystem' ? MOST_VALUES : undefined;
}
