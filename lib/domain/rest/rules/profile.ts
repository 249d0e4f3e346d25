import { followName } from '../../memberships/follow-name.ts';
import { assertProfileUnused } from '../../profiles/assert-profile-unused.ts';
import type { TypeRule } from '../type-rule.ts';

/** Patient, Practitioner, RelatedPerson: who somebody signs in as has one name everywhere, and is not deleted under them. */
export const profileRule: TypeRule = {
  updated: followName,
  beforeDelete: (w, { projectId, type, id }) => assertProfileUnused(w.tx, projectId, `${type}/${id}`),
};
