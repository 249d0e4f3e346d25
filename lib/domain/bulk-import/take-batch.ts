import { AppError, ERRORS } from '#lib/base/errors.ts';
import { log } from '#lib/base/log.ts';
import { takeTurns } from '#lib/base/turns.ts';
import { isPassing, isUnstorable } from '#lib/infra/db/errors.ts';
import type { BulkImportFileRow } from '#lib/infra/db/schema/fhir/bulk-import.ts';
import { toOutcomeIssues } from '#lib/protocol/fhir/outcome.ts';
import type { Ctx, Write } from '../access/context.ts';
import { write } from '../audit/write.ts';
import { createResource } from '../rest/create-resource.ts';
import { isPlain } from '../rest/transaction/change-many.ts';
import { StepError } from '../rest/transaction/steps.ts';
import { updateResource } from '../rest/update-resource.ts';
import { keepRefusals, lockFile, saveFile } from './import-rows.ts';
import { type Judged, judgeLine } from './judge-line.ts';
import type { Batch } from './read-batches.ts';
import type { Place } from './split-lines.ts';
import { type Given, notOurs, storeLines } from './store-lines.ts';

/** Somebody else has gone on with it, or it was cancelled: nothing of this batch was stored. */
export class Overtaken extends Error {}

const MOST_ISSUES = 10;

/** So many lines of a type may be stored together: those with rules of their own each by itself. */
export function mostTogether(type: string): number | undefined {
  return isPlain(type, 'create') && isPlain(type, 'update') ? undefined : 1;
}

/**
 * Stores the lines of a batch with the rights of `ctx`, and with them, in the same transaction, that they are done with: each once, however often it
 * is tried. Returns the file as it then stands. Throws Overtaken, and what the database throws when it fails: then nothing is done with.
 */
export async function takeBatch(ctx: Ctx, file: BulkImportFileRow, batch: Batch): Promise<BulkImportFileRow> {
  const turn = takeTurns();
  const judged: Judged[] = [];
  for (const line of batch.lines) {
    await turn();
    judged.push(await judgeLine(ctx, file.type, line));
  }
  let stands = file;
  for (const some of apart(judged)) stands = await take(ctx, stands, some, some.at(-1)!.after);
  return stands.line < batch.after.line ? take(ctx, stands, [], batch.after) : stands;
}

/** In their order, so that none has an id twice: the later line is a version of its own. */
function* apart(judged: readonly Judged[]): Generator<Judged[]> {
  let some: Judged[] = [];
  const ids = new Set<string>();
  for (const one of judged) {
    const id = 'fault' in one ? undefined : one.id;
    if (id !== undefined && ids.has(id)) {
      yield some;
      some = [];
      ids.clear();
    }
    if (id !== undefined) ids.add(id);
    some.push(one);
  }
  if (some.length > 0) yield some;
}

/** All of them; where something of one stands against that, halves of them, so that only that one is refused. */
async function take(ctx: Ctx, file: BulkImportFileRow, judged: Judged[], after: Place): Promise<BulkImportFileRow> {
  try {
    return await store(ctx, file, judged, after);
  } catch (error) {
    const [first] = judged;
    if (!first || error instanceof Overtaken || isPassing(causeOf(error))) throw error;
    if (judged.length === 1) {
      if ('fault' in first) throw error;
      return store(ctx, file, [{ number: first.number, after, fault: toFault(error) }], after);
    }
    const half = judged.slice(0, Math.ceil(judged.length / 2));
    const stands = await take(ctx, file, half, half.at(-1)!.after);
    return take(ctx, stands, judged.slice(half.length), after);
  }
}

function store(ctx: Ctx, file: BulkImportFileRow, judged: Judged[], after: Place): Promise<BulkImportFileRow> {
  const run = async (w: Write, inner: Ctx & { write: Write }) => {
    w.unchanged();
    const stands = await lockFile(w.tx, file);
    if (!stands || stands.done || stands.line !== file.line) throw new Overtaken();
    const faults = new Map(judged.flatMap((line) => ('fault' in line ? [[line.number, line.fault]] : [])));
    const good = judged.flatMap((line) => ('fault' in line ? [] : [line]));
    if (good.length === 1) await storeAlone(inner, file.type, good[0]!);
    else if (good.length > 1)
      for (const [line, fault] of await storeLines(inner, file.type, good)) faults.set(line, fault);
    const refusals = [...faults].map(([line, fault]) => ({ line, outcome: toOutcome(line, fault) }));
    await keepRefusals(w.tx, stands, refusals, stands.refused);
    const { taken, refused } = stands;
    const counts = { taken: taken + judged.length - faults.size, refused: refused + faults.size };
    const set = { ...after, ...counts, tries: 0, retryAt: null };
    await saveFile(w.tx, stands, set);
    return { ...stands, ...set };
  };
  return write(ctx, run, { notes: true });
}

/** As a POST or a PUT of it, with all that its type adds. */
async function storeAlone(ctx: Ctx & { write: Write }, type: string, { resource, id }: Given): Promise<void> {
  try {
    if (id === undefined) await createResource(ctx, type, resource);
    else await updateResource(ctx, type, id, resource);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'not-found' || id === undefined) throw error;
    throw notOurs(type, id);
  }
}

/** Contention that retries did not settle is a conflict, and may work in a moment. */
function causeOf(error: unknown): unknown {
  return error instanceof AppError && error.options.cause ? error.options.cause : error;
}

function toFault(error: unknown): AppError {
  if (error instanceof StepError) return toFault(error.error);
  if (error instanceof AppError) return error;
  if (isUnstorable(error)) return new AppError('structure', 'The resource has what cannot be stored', { cause: error });
  log.error({ err: error }, 'a line of an import could not be stored');
  return new AppError('exception', 'The line could not be stored, which is no fault of it', { cause: error });
}

/** Told by their numbers, as an id too: programs read that. */
function toOutcome(line: number, fault: AppError): object {
  const issues = fault.issues.slice(0, MOST_ISSUES).map((issue) => ({ ...issue, text: `Line ${line}: ${issue.text}` }));
  return {
    resourceType: 'OperationOutcome',
    id: `line-${line}`,
    issue: toOutcomeIssues(issues, ERRORS[fault.code].issue),
  };
}
