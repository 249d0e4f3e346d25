import { setFlagsFromString } from 'node:v8';
import ivm from 'isolated-vm';
import { SANDBOX_LIMITS } from '../host/limits.ts';
import { allowUsing, namesFeature } from './features.ts';
import { createStackMap, type StackMap } from './map-stack.ts';
import type { Slot } from './slot.ts';

export type IsolatePool = {
  load(versionKey: string, code: string, sourceMap: string | undefined): void;
  /** Forgets a version; its isolates go when their runs end. */
  unload(versionKey: string): void;
  /** The warmest idle isolate of the version, or a new one. `error`: the bundle does not compile. */
  take(versionKey: string, memoryMb: number, onLost: () => void): Slot | { error: string };
  give(slot: Slot, isReusable: boolean): void;
  /** Isolates that are there, at work or warm. */
  count(): number;
};

/** More than a process keeps versions of (runner-process.ts), so that memory decides. */
const MAX_IDLE = 100;
/** What a bundle is given, as a CommonJS module is (inside/enter.ts). */
const GIVEN = ['module', 'exports', '__library', 'require'];
/** As the bundler writes it (compile/bundle.ts). */
const IMPORTS_CORE = '__library()';

const TAKE_ENTER = '(() => { const { __enter } = globalThis; delete globalThis.__enter; return __enter; })()';

/** `mostIdle`: bytes of all that wait. */
export function createIsolatePool(prelude: string, core: string, mostIdle: number): IsolatePool {
  // Of our own code alone: it runs in this process, not in an isolate.
  const snapshot = createSnapshot([{ code: prelude, filename: 'sandbox.js' }]);
  let withCore: Snapshot | undefined;
  const versions = new Map<string, Version>();
  // Least recently used first.
  let idle: Slot[] = [];
  const busy = new Set<Slot>();

  return {
    count: () => idle.length + busy.size,
    load(versionKey, code, sourceMap) {
      allowUsing(code);
      const hasFeatures = namesFeature(code);
      versions.set(versionKey, { code, hasFeatures, stackMap: createStackMap(sourceMap) });
    },
    unload(versionKey) {
      versions.delete(versionKey);
      for (const slot of idle.filter((slot) => slot.versionKey === versionKey)) slot.isolate.dispose();
      idle = idle.filter((slot) => slot.versionKey !== versionKey);
    },
    take(versionKey, memoryMb, onLost) {
      const index = idle.findLastIndex((slot) => slot.versionKey === versionKey && slot.memoryMb === memoryMb);
      if (index < 0) {
        const version = versions.get(versionKey) ?? {
          code: '',
          hasFeatures: false,
          stackMap: createStackMap(undefined),
        };
        const made = createSlot({
          versionKey,
          memoryMb,
          core,
          snapshot: snapshotFor(version.code),
          ...version,
          onLost,
        });
        return 'error' in made ? made : begin(made);
      }
      const [slot] = idle.splice(index, 1);
      slot!.onLost = onLost;
      return begin(slot!);
    },
    give(slot, isReusable) {
      busy.delete(slot);
      if (slot.isolate.isDisposed) return;
      if (!isReusable || !versions.has(slot.versionKey)) return slot.isolate.dispose();
      slot.isIdle = true;
      idle.push(slot);
      evict();
    },
  };

  function begin(slot: Slot): Slot {
    busy.add(slot);
    return Object.assign(slot, { isIdle: false, takenBefore: slot.takenAt, takenAt: performance.now() });
  }

  function evict(): void {
    let bytes = idle.reduce((sum, { size }) => sum + size, 0);
    while (idle.length > MAX_IDLE || bytes > mostIdle) {
      const oldest = idle.shift()!;
      bytes -= oldest.size;
      oldest.isolate.dispose();
    }
  }

  /** That with `@medplum/core` is made by the first version that imports from it. */
  function snapshotFor(code: string): Snapshot {
    if (!code.includes(IMPORTS_CORE)) return snapshot;
    withCore ??= createSnapshot([
      { code: core, filename: 'core.js' },
      { code: prelude, filename: 'sandbox.js' },
    ]);
    return withCore;
  }
}

/**
 * A snapshot is made with the hash seed of this process, which nobody knows, and all its isolates have that one: no context needs to put its tables in
 * order anew, which is a sixth of what one costs.
 */
function createSnapshot(scripts: Parameters<typeof ivm.Isolate.createSnapshot>[0]): Snapshot {
  setFlagsFromString('--rehash-snapshot');
  const made = ivm.Isolate.createSnapshot(scripts);
  setFlagsFromString('--no-rehash-snapshot');
  return made;
}

type Version = { code: string; stackMap: StackMap; hasFeatures: boolean };
type Snapshot = ivm.ExternalCopy<ArrayBuffer>;
type NewSlot = Version & {
  versionKey: string;
  memoryMb: number;
  core: string;
  snapshot: Snapshot;
  onLost: () => void;
};

function createSlot({
  versionKey,
  memoryMb,
  core,
  snapshot,
  code,
  stackMap,
  hasFeatures,
  onLost,
}: NewSlot): Slot | { error: string } {
  const onCatastrophicError = () => slot.onLost();
  const isolate = new ivm.Isolate({ memoryLimit: memoryMb, onCatastrophicError, snapshot });
  const slot = { versionKey, memoryMb, isolate, core, stackMap, hasFeatures, onLost, takenAt: -Infinity } as Slot;
  try {
    // Parses the bundle as a function's body by itself: code that closes the wrapper below would run outside the clock.
    new Function(...GIVEN, code);
    slot.prelude = isolate.compileScriptSync(TAKE_ENTER, { filename: 'sandbox.js' });
    const wrapped = `(function (${GIVEN.join()}) {\n${code}\n})`;
    slot.bot = isolate.compileScriptSync(wrapped, { filename: 'bot.js', lineOffset: -1 });
    return slot;
  } catch (error) {
    isolate.dispose();
    const message = error instanceof Error ? error.message : 'The bundle does not compile';
    return { error: message.slice(0, SANDBOX_LIMITS.errorCharacters) };
  }
}
