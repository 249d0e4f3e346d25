import { AppError } from '#lib/base/errors.ts';
import type { Ctx } from '#lib/domain/access/context.ts';
import type { BotOperation } from '#lib/domain/bots/operation/find-operation.ts';
import { readResource } from '#lib/domain/rest/read-resource.ts';
import type { RunResult } from '#lib/infra/sandbox/host/run-job.ts';
import type { OperationDefinition } from '#lib/protocol/bots/operations/operation-definition.ts';
import { isWholeAnswer, NotGiven, toOutParameters } from '#lib/protocol/bots/operations/to-out-parameters.ts';
import { parseKept } from '#lib/protocol/json/json.ts';
import { requireOwnPage } from '../door/authenticate.ts';
import { FHIR_TYPE, JSON_TYPE, type Reply, type StreamedReply } from '../door/reply.ts';
import { executeBotRequest } from './execute-bot-request.ts';

type Asked = { ctx: Ctx; request: Request; url: URL; type: string; id?: string };

/** Characters of a value that is made into Parameters: it is read here for it. */
const MOST_READ = 1024 * 1024;

/**
 * An operation that a bot does (contract §5.6): its body, or its query by GET, is the bot's input, as at `$execute`; what the bot returns is
 * answered as the definition says. On an instance only for who can read that. Throws 405 for GET where it changes something, and for HEAD.
 */
export async function runBotOperation(
  { definition, botId }: BotOperation,
  { ctx, request, url, type, id }: Asked,
): Promise<Reply | StreamedReply> {
  requireOwnPage(request);
  const methods = definition.affectsState ? ['POST'] : ['GET', 'POST'];
  if (!methods.includes(request.method)) {
    const headers = { allow: [...methods, 'OPTIONS'].join(', ') };
    throw new AppError('method-not-allowed', `$${definition.code} takes ${methods.join(' or ')}`, { headers });
  }
  if (id !== undefined) await readResource(ctx, type, id);
  const reply = await executeBotRequest(ctx, request, url, {
    find: async () => botId,
    addressedBy: 'id',
    headers: {
      'x-gatehouse-operation': `OperationDefinition/${definition.id}`,
      ...(id !== undefined && { 'x-gatehouse-operation-on': `${type}/${id}` }),
    },
    shape: (result) => asDefined(result, definition),
  });
  return isResource(reply) ? { ...reply, contentType: FHIR_TYPE } : reply;
}

/** Parameters, or what a bot gives as a resource: the answer of an operation is one of FHIR. */
function isResource({ body, contentType }: Reply | StreamedReply): boolean {
  return contentType === JSON_TYPE && typeof body === 'string' && /^\s*\{\s*"resourceType"/.test(body);
}

/** What a run comes to as its definition says; a bot that gives something else has failed. */
function asDefined(result: RunResult, { parameter = [] }: OperationDefinition): RunResult {
  const out = parameter.filter(({ use }) => use === 'out');
  if (!result.ok || ['outcome', 'binary'].includes(result.value.kind) || isWholeAnswer(out)) return result;
  try {
    return { ...result, value: { kind: 'json', text: JSON.stringify(toOutParameters(readValue(result.value), out)) } };
  } catch (error) {
    if (!(error instanceof NotGiven)) throw error;
    const { value: _, ...rest } = result;
    return { ...rest, ok: false, reason: 'unserializable', message: error.message };
  }
}

function readValue({ kind, text }: { kind: string; text: string }): unknown {
  if (kind === 'undefined' || kind === 'null') return undefined;
  if (text.length > MOST_READ) throw new NotGiven('What the bot returned is longer than Parameters may be');
  return kind === 'string' || kind === 'hl7' ? text : parseKept(text);
}
