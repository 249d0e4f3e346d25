const { setTimeout, clearTimeout, setInterval, clearInterval, setImmediate, clearImmediate } = globalThis;

import * as promises from './timers-promises.ts';

export { clearImmediate, clearInterval, clearTimeout, promises, setImmediate, setInterval, setTimeout };
