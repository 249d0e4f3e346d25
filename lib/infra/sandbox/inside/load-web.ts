import { callBridge } from './bridge.ts';
import { host } from './host.ts';
import { loadExtras } from './load-extras.ts';
import type { Web } from './web.ts';

// From the prelude (prelude.ts): evaluates the third bundle and calls its `createWeb`.
declare function __loadWeb(...args: unknown[]): Web;

let loaded: Web | undefined;
let isLoading = false;

export function loadWeb(): Web {
  if (loaded) return loaded;
  isLoading = true;
  try {
    loaded = __loadWeb(host, { call: callBridge, extras: loadExtras() });
    return loaded;
  } finally {
    isLoading = false;
  }
}

/** What is in it looks for what stands already; to load it for that would make every class twice. */
export function isLoadingWeb(): boolean {
  return isLoading;
}
