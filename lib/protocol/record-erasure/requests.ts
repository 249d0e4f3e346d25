import { z } from 'zod';
import { plainName } from '../requests/plain-name.ts';

/** The project's setting: whether records of patients may be erased at all. */
export const RECORD_ERASURE = 'recordErasure';

/** POST /admin/projects/{id}/patients/{patientId}/erasure. `confirm`: the patient's name as it is shown, or their id. `reason`: kept, and in the audit log. */
export const recordErasureRequest = z.strictObject({
  confirm: z.string({ error: 'confirm is required: the name or the id of the patient' }).trim().max(400),
  reason: plainName('reason is required: why the record is erased', 500),
});
export type RecordErasureRequest = z.output<typeof recordErasureRequest>;
