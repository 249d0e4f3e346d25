import { changeLabels } from '#lib/domain/rest/change-labels.ts';
import { requireRight } from '#lib/domain/rest/require-right.ts';
import { etag, PLATFORM_META, type Row, toWire } from '#lib/domain/store/row.ts';
import { readLabels } from '#lib/protocol/fhir/labels.ts';
import { allOk } from '#lib/protocol/fhir/outcome.ts';
import { parseJson } from '#lib/protocol/json/json.ts';
import { fhir, type Reply } from '../../../door/reply.ts';
import { readPreconditions, refuseKey } from '../../preconditions.ts';
import { preference } from '../../prefer.ts';
import type { OperationInput } from '../operation.ts';
import { instanceId, readBody, wrong } from '../read-parameters.ts';

export const OF_LABELS = { meta: { type: 'Meta', min: 1, documentation: 'profile, tag and security' } } as const;

/** The meta of a resource as an answer, with its version. */
export function resourceLabels(row: Row, extended: boolean): Reply {
  const { meta } = parseJson(toWire({ ...row, content: null }, extended)) as { meta: object };
  const headers = { etag: etag(row), 'last-modified': row.lastUpdated.toUTCString() };
  return fhir({ resourceType: 'Parameters', parameter: [{ name: 'return', valueMeta: meta }] }, 200, headers);
}

/** Both ways to change labels, answered with what they are then. */
export async function runLabels(input: OperationInput, how: 'add' | 'delete'): Promise<Reply> {
  const { ctx, request, type, extended } = input;
  const id = instanceId(input.id)!;
  const given = readPreconditions(request);
  refuseKey(request);
  await requireRight(ctx, type, 'update', id);
  const { meta } = await readBody(input, OF_LABELS);
  if (meta === undefined) throw wrong('meta', 'The parameter meta is needed');
  const { row } = await changeLabels(ctx, { type, id }, how, readLabels('meta', meta, PLATFORM_META), given);
  const reply = resourceLabels(row, extended);
  switch (preference(request, 'return')?.toLowerCase()) {
    case 'minimal':
      return { ...reply, body: undefined };
    case 'operationoutcome':
      return fhir(allOk(), 200, reply.headers);
    default:
      return reply;
  }
}
