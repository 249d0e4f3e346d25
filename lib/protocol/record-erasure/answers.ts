/** By type of resource. */
export type TypeCounts = Record<string, number>;

/** GET /admin/projects/{id}/patients/{patientId}/erasure: what would be erased, and what stands against it. */
export type ErasurePreview = {
  patient: string;
  /** What they are called, which is typed to mean them; null for one who has no name, or was deleted: then it is the id. */
  name: string | null;
  deleted: boolean;
  /** The setting `recordErasure` of the project. */
  allowed: boolean;
  /** Why it cannot be asked for yet. */
  against: string[];
  erased: TypeCounts;
  /** About other patients too, or what a member signs in as: they stay. */
  kept: TypeCounts;
  /** Outside of the record, and refer to the patient: they stay as they are. */
  referring: TypeCounts;
};

/** An erasure that was asked for. Times are instants. `total`: resources of the record when it was; more may have come since. */
export type RecordErasure = {
  id: string;
  patient: string;
  state: 'queued' | 'running' | 'done';
  reason: string;
  total: number;
  erased: TypeCounts;
  kept: TypeCounts;
  /** Of all of these, dropped from their histories. */
  versions: number;
  createdAt: string;
  startedAt: string | null;
  finishedAt: string | null;
  startedBy: { reference: string; display: string | null };
};

/** GET /admin/projects/{id}/erasures: the newest twenty. */
export type RecordErasures = { rows: RecordErasure[] };
