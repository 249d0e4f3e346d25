import { definitionsTag } from '../../access/cache-tags.ts';
import { placeConcepts } from '../../terminology/place-concepts.ts';
import type { TypeRule } from '../type-rule.ts';

/** Its concepts stand in a table of their own, where they are looked up and filtered. */
export const codeSystemRule: TypeRule = {
  async changed(w, row) {
    await placeConcepts(w.tx, row);
    w.invalidate(definitionsTag(row.projectId));
  },
};
