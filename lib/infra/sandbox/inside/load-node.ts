import { loadInspect } from './console/load-inspect.ts';
import { host } from './host.ts';
import { loadExtras } from './load-extras.ts';
import { loadWeb } from './load-web.ts';
import type { NodeModules } from './node.ts';

// From the prelude (prelude.ts): evaluates the fourth bundle and calls its `createNode`.
declare function __loadNode(...args: unknown[]): NodeModules;

let loaded: NodeModules | undefined;

/** `process`: the global one. */
export function loadNode(process: object): NodeModules {
  loaded ??= __loadNode(host, { extras: loadExtras(), web: loadWeb(), process, inspect: loadInspect });
  return loaded;
}
