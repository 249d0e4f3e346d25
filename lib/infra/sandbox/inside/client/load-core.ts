import { host } from '../host.ts';
import { evaluate } from '../primordials.ts';

/** What we use of `@medplum/core` ourselves; a bot has all of it. */
export type Core = {
  MedplumClient: new (options: Record<string, unknown>) => Record<string, unknown>;
  Hl7Message: { new (...args: never[]): object; parse(text: string): object };
};

// From the prelude (prelude.ts): what the snapshot of the isolate has, of a version that imports it.
declare const __snapshotCore: Core | undefined;

const place = globalThis as { __core?: Core };
let core: Core | undefined = __snapshotCore;

/** The peer's `@medplum/core`. Without a snapshot it is evaluated when something of it is first touched. */
export function loadCore(): Core {
  if (core) return core;
  const before = place.__core;
  evaluate(host('core'));
  core = place.__core!;
  if (before === undefined) delete place.__core;
  else place.__core = before;
  return core;
}

/** Undefined while nothing of it was touched. */
export function loadedCore(): Core | undefined {
  return core;
}
