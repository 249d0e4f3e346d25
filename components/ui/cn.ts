import { type ClassValue, clsx } from 'clsx';

/**
 * Class names in order; of two Tailwind utilities for the same thing, under the same variants, the later wins.
 * Knows only the groups that our components let their callers override (tailwind-merge knows all, for 15 kB of script).
 */
export function cn(...inputs: ClassValue[]): string {
  const kept = new Map<string, string>();
  for (const name of clsx(inputs).split(' ')) {
    const group = groupOf(name);
    if (group.endsWith('size')) for (const side of ['h', 'w']) kept.delete(group.replace(/size$/, side));
    kept.delete(group);
    kept.set(group, name);
  }
  return [...kept.values()].join(' ');
}

const GROUPS: readonly [RegExp, string][] = [
  [/^text-(?:xs|sm|base|\d?xl|lg|\[)/, 'font-size'],
  [/^text-(?!left|right|center|balance|pretty)/, 'color'],
  [/^(size|h|w|min-w|max-w|min-h|max-h|px|py|p|bg|rounded|gap-x|gap-y|gap|opacity|translate-x|translate-y)-/, '$1'],
  [/^(shadow)(?:-|$)/, '$1'],
  [/^(rounded)$/, '$1'],
];

/** The variants and the property of a utility ("hover:bg"), or the name itself when nothing ever overrides it. */
function groupOf(name: string): string {
  const cut = name.lastIndexOf(':', name.includes('[') ? name.indexOf('[') : undefined) + 1;
  const utility = name.slice(cut);
  const found = GROUPS.find(([pattern]) => pattern.test(utility));
  if (!found) return name;
  const [pattern, group] = found;
  return name.slice(0, cut) + (group === '$1' ? (pattern.exec(utility)?.[1] ?? utility) : group);
}
