import { typedArrayName, types } from './kinds.ts';
import { nodes } from './nodes.ts';
import { table } from './table.ts';

// The prelude's variable (prelude.ts).
// biome-ignore lint/style/useConst: it is assigned to, once
declare let __createInspect: typeof createInspect;
__createInspect = createInspect;

export type Inspect = ReturnType<typeof createInspect>;

/** How values are shown: a bundle of its own, as extras.ts is. The first object that is logged brings it, without all else of Node. */
function createInspect() {
  const { format, formatWithOptions, inspect, stripVTControlCharacters } = nodes;
  return { format, formatWithOptions, inspect, stripVTControlCharacters, types, typedArrayName, table };
}
