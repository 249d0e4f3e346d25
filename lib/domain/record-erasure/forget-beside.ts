import type { Write } from '../access/context.ts';
import { forgetRequests } from '../access-requests/forget-requests.ts';
import { forgetReviewed } from '../access-reviews/forget-reviewed.ts';
import { forgetEvents } from '../bot-events/forget-events.ts';
import { forgetSamples } from '../bot-samples/sample-rows.ts';
import { forgetGrants } from '../break-glass/grant-rows.ts';
import { forgetExports } from '../bulk-data/export-rows.ts';
import { forgetRefusals } from '../bulk-import/import-rows.ts';
import { forgetMembers } from '../bulk-jobs/forget-members.ts';
import { forgetAnswers } from '../idempotency/forget-answers.ts';
import { forgetRuns } from '../runs/forget-runs.ts';
import { forgetDisplay } from '../store/delete-row.ts';
import { forgetViews } from '../views/forget-views.ts';
import type { Whose } from './find-record.ts';

/**
 * What stands of the patient beside the records: what members were called who stood on the record once, answers that are told again, and what bots said
 * and answered, where that names the patient.
 */
export async function forgetBeside(w: Write, { projectId, patientId }: Whose): Promise<void> {
  const reference = `Patient/${patientId}`;
  const members = await forgetDisplay(w, projectId, { type: 'ProjectMembership', element: 'profile', reference });
  await forgetMembers(w.tx, projectId, members);
  await forgetReviewed(w.tx, projectId, members);
  await forgetRequests(w.tx, projectId, members);
  await forgetViews(w.tx, projectId, members);
  await forgetGrants(w.tx, projectId, members);
  await forgetAnswers(w.tx, projectId, patientId);
  await forgetRuns(w.tx, projectId, patientId);
  await forgetEvents(w.tx, projectId, patientId);
  await forgetSamples(w.tx, projectId, patientId);
  await forgetExports(w.tx, projectId, patientId);
  await forgetRefusals(w.tx, projectId, patientId);
}
