import { placeConcepts } from '../../terminology/place-concepts.ts';
import type { TypeRule } from '../type-rule.ts';

/** Its concepts stand in a table of their own, where they are looked up and filtered. */
export const codeSystemRule: TypeRule = {
  changed: (w, row) => placeConcepts(w.tx, row),
};
