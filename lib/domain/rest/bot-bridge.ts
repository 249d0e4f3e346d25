import { AppError } from '#lib/base/errors.ts';
import { loadPdfMaker } from '#lib/infra/sandbox/host/pdf-source.ts';
import type { AnswerCall, CallFacts } from '#lib/infra/sandbox/host/run-job.ts';
import { allOk } from '#lib/protocol/fhir/outcome.ts';
import type { Ctx } from '../access/context.ts';
import { askOwnRoutes } from '../runs/bot-api.ts';
import { toWire } from '../store/row.ts';
import { changeOf, targetOf } from './bridge/call-facts.ts';
import { createWriteNotes } from './bridge/note-writes.ts';
import { createResource } from './create-resource.ts';
import { deleteResource } from './delete-resource.ts';
import { patchResource } from './patch-resource.ts';
import { readResource } from './read-resource.ts';
import { searchResources } from './search/search-resources.ts';
import { updateResource } from './update-resource.ts';
import type { Written } from './written.ts';

type Note = (facts: CallFacts) => void;
type Call = (ctx: Ctx, args: unknown[], note: Note) => Promise<unknown>;

/** A bot's `medplum` object speaks to the same verbs as any caller, under the actor in `ctx`. Copies in, copies out. */
export function botBridge(ctx: Ctx): AnswerCall {
  const noted = createWriteNotes();
  return (method, args, tell) => {
    const call = Object.hasOwn(CALLS, method) ? CALLS[method] : undefined;
    if (!call) return Promise.reject(new AppError('invalid', `medplum.${method} is not offered to bots`));
    const inner = noted(ctx, tell);
    inner.note(targetOf(args));
    return call(inner.ctx, args, inner.note);
  };
}

const CALLS: Record<string, Call> = {
  createResource: async (ctx, [body], note) => plain(await createResource(ctx, typeOf(body), body), note),
  createResourceIfNoneExist: async (ctx, [body, query], note) =>
    plain(await createResource(ctx, typeOf(body), body, { ifNoneExist: text(query, 'query') }), note),
  readResource: async (ctx, [type, id]) => read(ctx, text(type, 'resourceType'), text(id, 'id')),
  readReference: async (ctx, [reference]) => {
    const value =
      reference && typeof reference === 'object' && 'reference' in reference ? reference.reference : undefined;
    const [type = '', id = ''] = text(value, 'reference').split('/');
    return read(ctx, type, id);
  },
  updateResource: async (ctx, [body], note) => plain(await updateResource(ctx, typeOf(body), idOf(body), body), note),
  patchResource: async (ctx, [type, id, operations], note) =>
    plain(await patchResource(ctx, text(type, 'resourceType'), text(id, 'id'), operations), note),
  deleteResource: async (ctx, [type, id]) => {
    await deleteResource(ctx, text(type, 'resourceType'), text(id, 'id'));
    return allOk();
  },
  search: async (ctx, [type, query]) => search(ctx, type, query),
  // The Bundle, of which the list is made inside (medplum.ts).
  searchResources: async (ctx, [type, query]) => search(ctx, type, query),
  searchOne: async (ctx, [type, query]) => (await search(ctx, type, query, [['_count', '1']])).entry?.[0]?.resource,
  api: (ctx, [request], note) => askOwnRoutes(ctx, request, note),
  library: async (_, [name]) => {
    if (name === 'pdf') return loadPdfMaker();
    throw new AppError('invalid', 'There is no such library');
  },
};

type Bundle = { entry?: { resource: unknown }[] };

async function search(ctx: Ctx, type: unknown, query: unknown, more: [string, string][] = []): Promise<Bundle> {
  const given = pairsOf(query).filter(([name]) => !more.some(([other]) => other === name));
  return JSON.parse(await searchResources(ctx, text(type, 'resourceType'), [...given, ...more], { extended: true }));
}

/** A query as text, as pairs, or as a map of strings, numbers and booleans; a list of them means any of them, as the client writes it. */
function pairsOf(query: unknown): [string, string][] {
  if (typeof query !== 'object' || query === null) return [...new URLSearchParams(query ? text(query, 'query') : '')];
  const pairs: unknown[] = Array.isArray(query) ? query : Object.entries(query);
  return pairs.map((pair) => {
    if (!Array.isArray(pair) || pair.length !== 2 || typeof pair[0] === 'object' || !isSimple(pair[1]))
      throw badQuery();
    return [String(pair[0]), String(pair[1])];
  });
}

function isSimple(value: unknown): boolean {
  return typeof value !== 'object' || (Array.isArray(value) && value.every((one) => typeof one !== 'object'));
}

function badQuery(): AppError {
  return new AppError('invalid', 'query must be a text, pairs of texts, or a map of texts', { expression: 'query' });
}

async function read(ctx: Ctx, type: string, id: string): Promise<unknown> {
  return JSON.parse(toWire(await readResource(ctx, type, id), true));
}

function plain(written: Written, note: Note): unknown {
  note(changeOf(written));
  return JSON.parse(toWire(written.row, true));
}

function typeOf(body: unknown): string {
  return text((body as { resourceType?: unknown } | null)?.resourceType, 'resourceType');
}

function idOf(body: unknown): string {
  return text((body as { id?: unknown } | null)?.id, 'id');
}

function text(value: unknown, name: string): string {
  if (typeof value !== 'string' || value === '')
    throw new AppError('invalid', `${name} must be a string`, { expression: name });
  return value;
}
