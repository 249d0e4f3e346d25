import type { Reference } from '../fhir/types.ts';

/**
 * Whether the record that somebody stands on in a project takes their new name: not that of a patient or relative (`record`), one that says
 * another name already (`differs`), or one that a directory keeps (`directory`).
 */
export type NameKept = 'record' | 'differs' | 'directory';

export type OwnNamePlace = {
  membership: string;
  project: Reference;
  profile: Reference;
  /** Why it keeps its own; left out where it follows. */
  kept?: NameKept;
};

/** GET and PUT /auth/name. */
export type OwnName = { firstName: string; lastName: string; version: number; places: OwnNamePlace[] };
