import { AppError } from '#lib/base/errors.ts';
import { mostValues } from '#lib/protocol/fhir/most-values.ts';
import type { Resource } from '#lib/protocol/fhir/types.ts';
import { parseBody } from '#lib/protocol/json/parse-body.ts';
import type { Ctx } from '../access/context.ts';
import { takeIn } from '../rest/take-in.ts';
import { standingBy } from '../store/feeds/standing-by.ts';
import { mostOfLine } from './read-batches.ts';
import type { Line, Place } from './split-lines.ts';

/** A line and the resource that it is, or why it is none that the project takes. */
export type Judged = { number: number; after: Place } & ({ resource: Resource; id?: string } | { fault: AppError });

const UTF8 = new TextDecoder('utf-8', { fatal: true });

/** The line as a resource of this type, judged as the body of a write is, but for its references, which may be to lines beside it. */
export async function judgeLine(ctx: Ctx, type: string, line: Line): Promise<Judged> {
  const { number, after } = line;
  try {
    return { number, after, ...(await judge(ctx, type, line)) };
  } catch (fault) {
    if (!(fault instanceof AppError)) throw fault;
    return { number, after, fault };
  }
}

async function judge(ctx: Ctx, type: string, { bytes }: Line): Promise<{ resource: Resource; id?: string }> {
  if (!bytes) throw new AppError('content-too-large', `The line is longer than ${mostOfLine()} bytes`);
  const body = (await parseBody(decode(bytes), { most: mostValues(type) })) as Partial<Resource> | null;
  if (body?.resourceType !== type)
    throw new AppError('invalid', `The file is of ${type}, and the line is not`, { expression: 'resourceType' });
  const id = body.id as string | undefined;
  const taken = await takeIn({ ...ctx, referring: () => {} }, type, body, id);
  const resource = (type === 'Subscription' && standingBy(taken)) || taken;
  return id === undefined ? { resource } : { resource, id };
}

function decode(bytes: Buffer): string {
  try {
    return UTF8.decode(bytes);
  } catch (cause) {
    throw new AppError('structure', 'The line is not UTF-8', { cause });
  }
}
