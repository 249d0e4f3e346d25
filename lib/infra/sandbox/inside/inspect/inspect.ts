import { format, formatAll, formatWithOptions, inspect } from './format.ts';
import { typedArrayName, types } from './kinds.ts';
import { colors } from './options.ts';
import { stripVTControlCharacters } from './primitives.ts';
import { table } from './table.ts';

// The prelude's variable (prelude.ts).
// biome-ignore lint/style/useConst: it is assigned to, once
declare let __createInspect: typeof createInspect;
__createInspect = createInspect;

export type Inspect = ReturnType<typeof createInspect>;

/** How values are shown, by Node's rules: a bundle of its own, as extras.ts is. The first object that is logged brings it, without all else of Node. */
function createInspect() {
  return {
    colors,
    format,
    formatAll,
    formatWithOptions,
    inspect,
    types,
    typedArrayName,
    stripVTControlCharacters,
    table,
  };
}
