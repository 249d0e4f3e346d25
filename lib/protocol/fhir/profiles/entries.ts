import { isResourceType } from '../type-ids.ts';
import type { ProfileNode } from './node.ts';
import type { Entry } from './scene.ts';

type Holder = Readonly<Record<string, unknown>>;

/** The values that an element has within one value of its parent. */
export function entriesOf(parent: Entry, { name, choice }: Pick<ProfileNode, 'name' | 'choice'>): Entry[] {
  // Below a primitive there is what stands beside it.
  const holder = (isHolder(parent.value) ? parent.value : parent.beside) as Holder | undefined;
  if (!isHolder(holder)) return [];
  if (!choice) return entriesAt(holder, name, parent.at);
  const names = new Set(Object.keys(holder).map((key) => (key.startsWith('_') ? key.slice(1) : key)));
  return [...names].flatMap((key) => {
    const type = key.slice(name.length);
    if (!key.startsWith(name) || !/^[A-Z]/.test(type)) return [];
    return entriesAt(holder, key, parent.at).map((entry) => ({ ...entry, type }));
  });
}

function entriesAt(holder: Holder, name: string, at: Entry['at']): Entry[] {
  const [value, beside] = [holder[name], holder[`_${name}`]];
  if (value === undefined && beside === undefined) return [];
  if (!Array.isArray(value ?? beside)) return [toEntry(value, beside, [...at, name])];
  const [values, besides] = [(value ?? []) as unknown[], (beside ?? []) as unknown[]];
  return Array.from({ length: Math.max(values.length, besides.length) }, (_, index) => {
    return toEntry(values[index], besides[index], [...at, name, index]);
  });
}

function toEntry(value: unknown, beside: unknown, at: Entry['at']): Entry {
  const type = isHolder(value) && isResourceType(value.resourceType) ? value.resourceType : undefined;
  return { value: value ?? undefined, beside: beside ?? undefined, at, ...(type && { type }) };
}

export function isHolder(value: unknown): value is Holder {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
