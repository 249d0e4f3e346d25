import { defineProperty } from './primordials.ts';

type Show = (value: unknown, options: object) => string;
type Options = { depth: number | null };
type Named = { prototype: object; name: string };

const custom = Symbol.for('nodejs.util.inspect.custom');

/** Under the names that these have for all: the bundler gives some another. */
export function nameClasses<T extends Record<string, unknown>>(classes: T): T {
  for (const [name, Class] of Object.entries(classes)) {
    const { prototype } = (typeof Class === 'function' ? Class : {}) as Partial<Named>;
    if (!prototype) continue;
    hide(Class as object, 'name', name);
    if (!Object.hasOwn(prototype, Symbol.toStringTag)) hide(prototype, Symbol.toStringTag, name);
  }
  return classes;
}

/** How `console.log` and `util.inspect` show what is made of a class: by these of its parts, as Node does. */
export function shows<T>(Class: { prototype: T; name: string }, parts: string | ((value: T) => object)): void {
  const keys = typeof parts === 'string' ? parts.split(' ') : [];
  const read = typeof parts === 'string' ? (value: T) => pick(value, keys) : parts;
  hide(Class.prototype as object, custom, function (this: T, depth: number | null, options: Options, inspect: Show) {
    if (depth !== null && depth < 0) return `${Class.name} {}`;
    return `${Class.name} ${inspect(read(this), { ...options, depth: options.depth === null ? null : options.depth - 1 })}`;
  });
}

/** One that there is one of. */
export function nameObject<T extends object>(object: T, name: string): T {
  hide(object, Symbol.toStringTag, name);
  hide(object, custom, () => `${name} {}`);
  return object;
}

function pick(value: unknown, keys: readonly string[]): object {
  return Object.fromEntries(keys.map((key) => [key, (value as Record<string, unknown>)[key]]));
}

function hide(target: object, name: PropertyKey, value: unknown): void {
  defineProperty(target, name, { __proto__: null, value, configurable: true, writable: true } as PropertyDescriptor);
}
