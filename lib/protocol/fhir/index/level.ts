/**
 * What an index holds of a resource has grown: 1 is what rows had when numbers, composites and modifiers were not looked for yet, 2 when texts of codes and references
 * were not, 3 when nothing was found by its sound, 4 when what stands first in a Bundle was not. Rows that were
 * stored at a level below are found anew before a search asks for what they lack (lib/domain/store/indexes/raise-index.ts). Raise it with every
 * kind of entry that is added.
 */
export const INDEX_LEVEL = 5;

/** Under which name it is kept how far all that is stored is (lib/infra/db/upkeep.ts). */
export const LEVEL_NAME = 'index level';
