/**
 * What an index holds of a resource has grown: 1 is what rows had when numbers, composites and modifiers were not looked for yet, 2 when texts of codes and references
 * were not, 3 when nothing was found by its sound, 4 when what stands first in a Bundle was not. Rows that were
 * stored at a level below are found anew before a search asks for what they lack (lib/domain/store/indexes/raise-index.ts). Raise it with every
 * kind of entry that is added.
 */
export const INDEX_LEVEL = 5;

/** Under which name it is kept how far all that is stored is (lib/infra/db/upkeep.ts). */
export const LEVEL_NAME = 'index level';

/** Own parameters of a type are numbered from here, in the order of the frozen R4 package; below stand the common ones. */
export const FIRST_OWN = 20;
export const PER_TYPE = 1000;
/** Above the own ones: the rest of long texts of the string parameter that many below, or the texts beside the codes of another. */
const WINDOWS = 500;

/** Under which number the windows of a string parameter's long texts are indexed, and what `:text` finds of others. */
export function windowsOf({ id }: { id: number }): number {
  return id + WINDOWS;
}

/** Of R4's own parameters of one type, which look at nothing in `meta`. */
export function isOfContent(id: number): boolean {
  const number = id % PER_TYPE;
  return number >= FIRST_OWN && number < WINDOWS;
}
