/** What its types do not name. */
type Nodes = typeof import('node-inspect-extracted') & { getStringWidth(text: string): number };

/** Node's own code. */
export const nodes: Nodes = require('node-inspect-extracted');
