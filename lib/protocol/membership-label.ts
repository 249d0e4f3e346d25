import { z } from 'zod';
import type { Identifier } from './fhir/types.ts';
import { plainName } from './requests/plain-name.ts';

/** By which a person tells several memberships of theirs apart (contract §1.5). */
const LABEL_SYSTEM = 'https://medplum.com/identifier/label';

/** PUT /auth/memberships/{id}. Null: without a label. */
export const labelRequest = z.strictObject({ label: plainName('A label is required', 64).nullable() });

export function findLabel(identifiers: readonly Identifier[] = []): string | undefined {
  return identifiers.find(({ system }) => system === LABEL_SYSTEM)?.value;
}

/** These with that label in place of the one before; the others stay as they are. */
export function withLabel(identifiers: readonly Identifier[] = [], label: string | null): Identifier[] {
  const others = identifiers.filter(({ system }) => system !== LABEL_SYSTEM);
  return label === null ? others : [...others, { system: LABEL_SYSTEM, value: label }];
}
