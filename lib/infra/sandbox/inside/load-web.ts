import { host } from './host.ts';
import { loadExtras } from './load-extras.ts';
import { call } from './medplum.ts';
import type { Web } from './web.ts';

// From the prelude (prelude.ts): evaluates the third bundle and calls its `createWeb`.
declare function __loadWeb(...args: unknown[]): Web;

let loaded: Web | undefined;

export function loadWeb(): Web {
  loaded ??= __loadWeb(host, { call, extras: loadExtras() });
  return loaded;
}
