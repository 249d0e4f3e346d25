import { assertProfileUnused } from '../../profiles/assert-profile-unused.ts';
import type { TypeRule } from '../type-rule.ts';

/** Patient, Practitioner, RelatedPerson: who somebody signs in as is not deleted under them. */
export const profileRule: TypeRule = {
  beforeDelete: (w, { projectId, type, id }) => assertProfileUnused(w.tx, projectId, `${type}/${id}`),
};
