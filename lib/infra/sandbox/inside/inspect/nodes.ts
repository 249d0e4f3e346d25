/** What its types do not name. */
type Nodes = typeof import('node-inspect-extracted') & { getStringWidth(text: string): number };

/** What it looks at as it is loaded, and shows nothing of, and a bot's context has not (globals.ts). */
const STAND_INS: Readonly<Record<string, object>> = { Atomics: {}, FinalizationRegistry: class {} };

/** Node's own code. */
export const nodes = load();

function load(): Nodes {
  const missing = Object.keys(STAND_INS).filter((name) => !(name in globalThis));
  const globals = globalThis as unknown as Record<string, object>;
  for (const name of missing) globals[name] = STAND_INS[name]!;
  try {
    return require('node-inspect-extracted');
  } finally {
    for (const name of missing) delete globals[name];
  }
}
