import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { sandboxPath } from './sandbox-path.ts';

export type CoreSource = {
  /** A script that leaves the package, with all its exports, as the global `__core`. */
  script: string;
  /** What can be imported from it. */
  names: readonly string[];
};

const EXPORTS = /export\{([^}]*)\};?/;
/** It looks at these when it is loaded; a bot has no sockets. */
const SOCKETS = 'const WebSocket = { CONNECTING: 0, OPEN: 1, CLOSING: 2, CLOSED: 3 };';
/** It asks of every map of headers whether it is one, whether or not there is the class. */
const HEADERS =
  'class Headers { static [Symbol.hasInstance](value) { const { Headers } = globalThis; return !!Headers && value instanceof Headers; } }';

let loaded: CoreSource | undefined;

/**
 * The peer's `@medplum/core` as it is published, for bots that import it: one module without imports of its own, whose list of exports is
 * made an object here. That takes no compiler, and a test says so when a version of it has another form.
 */
export function loadCore(): CoreSource {
  loaded ??= readCore();
  return loaded;
}

function readCore(): CoreSource {
  const entry = createRequire(sandboxPath('host/core-source.ts')).resolve('@medplum/core');
  const module = readFileSync(path.join(path.dirname(entry), '../esm/index.mjs'), 'utf8');
  const list = EXPORTS.exec(module)?.[1];
  if (!list) throw new Error('@medplum/core has another form than the one we know');
  const exported = list.split(',').map((item) => {
    const [local = '', name = local] = item.split(' as ');
    return { local, name };
  });
  const fields = exported.map(({ local, name }) => (local === name ? local : `${name}:${local}`));
  const body = module.replace(EXPORTS, () => `globalThis.__core={${fields.join(',')}};`);
  const script = `(() => { "use strict"; ${SOCKETS} ${HEADERS} ${body}\n})()`;
  return { script, names: exported.map(({ name }) => name).filter((name) => name !== 'default') };
}
