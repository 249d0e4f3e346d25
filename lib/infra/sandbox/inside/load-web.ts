import { callBridge } from './bridge.ts';
import { host } from './host.ts';
import { loadExtras } from './load-extras.ts';
import type { Web } from './web.ts';

// From the prelude (prelude.ts): evaluates the third bundle and calls its `createWeb`.
declare function __loadWeb(...args: unknown[]): Web;

let loaded: Web | undefined;

export function loadWeb(): Web {
  loaded ??= __loadWeb(host, { call: callBridge, extras: loadExtras() });
  return loaded;
}
