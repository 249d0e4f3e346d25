import type { Extras } from './extras.ts';
import { host } from './host.ts';

// From the prelude (prelude.ts): evaluates the second bundle and calls its `createExtras`.
declare function __loadExtras(...args: unknown[]): Extras;

let loaded: Extras | undefined;

export function loadExtras(): Extras {
  loaded ??= __loadExtras(host);
  return loaded;
}

export function loadedExtras(): Extras | undefined {
  return loaded;
}
