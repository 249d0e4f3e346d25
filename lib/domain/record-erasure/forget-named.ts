import { and, eq } from 'drizzle-orm';
import type { Queryable } from '#lib/infra/db/client.ts';
import { resourceHistory } from '#lib/infra/db/schema/fhir/resource.ts';
import { typeId } from '#lib/protocol/fhir/type-ids.ts';
import { forgetSamplesOn } from '../bot-samples/sample-rows.ts';
import { forgetMessages } from '../hl7-feeds/forget-messages.ts';
import { forgetRunsOn } from '../runs/forget-runs.ts';
import type { Whose } from './find-record.ts';

const MOST_VERSIONS = 1000;

/** What messages of other systems said of the patient, which know them by the identifiers that any version had: so before these are gone. */
export async function forgetNamed(tx: Queryable, { projectId, patientId }: Whose): Promise<void> {
  const versions = await tx
    .select({ content: resourceHistory.content })
    .from(resourceHistory)
    .where(
      and(
        eq(resourceHistory.projectId, projectId),
        eq(resourceHistory.typeId, typeId('Patient')),
        eq(resourceHistory.id, patientId),
      ),
    )
    .limit(MOST_VERSIONS);
  const found = versions.flatMap(({ content }) => (content ? (JSON.parse(content).identifier ?? []) : []));
  const values = found
    .map((one: { value?: unknown } | null) => one?.value)
    .filter((value) => typeof value === 'string');
  const identifiers = [...new Set<string>(values)];
  await forgetMessages(tx, projectId, patientId, identifiers);
  await forgetRunsOn(tx, projectId, identifiers);
  await forgetSamplesOn(tx, projectId, identifiers);
}
