import { AppError } from '#lib/base/errors.ts';
import type { Resource } from '#lib/protocol/fhir/types.ts';
import { type Ctx, requireActor, type Write } from '../../access/context.ts';
import { findAnyDangling } from '../../conformance/find-dangling.ts';
import { StepError } from './steps.ts';

/**
 * Where the project wants references checked: whatever the transaction has written refers to what is there when all of it is done. `written` by
 * the index of its step. Throws 400 as the first step of which that is not so.
 */
export async function requireReferred(
  { write: w, ...ctx }: Ctx & { write: Write },
  written: ReadonlyMap<number, Resource>,
): Promise<void> {
  const actor = requireActor(ctx);
  if (!actor.checksReferences) return;
  const dangling = await findAnyDangling(actor, [...written.values()], w.tx);
  const [first] = dangling;
  if (!first) return;
  const issues = dangling.flatMap(({ of, issue }) => (of === first.of ? [issue] : []));
  const error = new AppError('invalid', 'The resource refers to what is not there', { issues });
  throw new StepError([...written.keys()][first.of]!, error);
}
