import type { Inspect } from '../inspect/inspect.ts';

// From the prelude (prelude.ts): evaluates its bundle and calls its `createInspect`.
declare function __loadInspect(): Inspect;

let loaded: Inspect | undefined;

export function loadInspect(): Inspect {
  loaded ??= __loadInspect();
  return loaded;
}
