/** What became of one member. `entries`: put there or taken away; `version`: of the membership afterwards. */
export type CaregiverOutcome =
  | { membership: string; outcome: 'changed' | 'unchanged'; entries: number; version: number }
  | { membership: string; outcome: 'failed'; code: string; message: string };

/** POST /admin/projects/{id}/caregivers, in the order of the request. */
export type CaregiverOutcomes = { rows: CaregiverOutcome[] };
