import { AppError } from '#lib/base/errors.ts';
import { findOperation as findBotOperation } from '#lib/domain/bots/operation/find-operation.ts';
import type { NamedOperation } from '#lib/domain/rest/capability-statement.ts';
import { notInView } from '#lib/domain/sessions/acting/in-view.ts';
import type { OperationLevel } from '#lib/protocol/bots/operations/operation-definition.ts';
import { runBotOperation } from '../../bots/bot-operation.ts';
import type { Reply, StreamedReply } from '../../door/reply.ts';
import { expandOperation } from '../terminology/expand.ts';
import { lookupOperation } from '../terminology/lookup.ts';
import { translateOperation } from '../terminology/translate.ts';
import { validateInSystem } from '../terminology/validate-code.ts';
import { validateInSet } from '../terminology/validate-in-set.ts';
import { bindingTokenOperation } from './binding-token.ts';
import { deployOperation } from './deploy.ts';
import { encounterEverything } from './encounter-everything.ts';
import { executeOperation } from './execute.ts';
import { expandProfileOperation } from './expand-profile.ts';
import { groupExport } from './group-export.ts';
import { initProjectOperation } from './init.ts';
import { metaOperation } from './labels/meta.ts';
import { metaAddOperation } from './labels/meta-add.ts';
import { metaDeleteOperation } from './labels/meta-delete.ts';
import type { Operation, OperationInput } from './operation.ts';
import { patientEverything } from './patient-everything.ts';
import { patientExport } from './patient-export.ts';
import { rescopeOperation } from './rescope.ts';
import { rotateSecretOperation } from './rotate-secret.ts';
import { systemExport } from './system-export.ts';
import { systemImport } from './system-import.ts';
import { addressOf, nameOf, toDefinition } from './to-definition.ts';
import { updateEmailOperation } from './update-email.ts';
import { validateOperation } from './validate.ts';

/** Each says itself what it is called, on which types and where: it is mounted so, and metadata lists it. */
const OPERATIONS: readonly Operation[] = [
  bindingTokenOperation,
  deployOperation,
  encounterEverything,
  executeOperation,
  expandOperation,
  expandProfileOperation,
  groupExport,
  initProjectOperation,
  lookupOperation,
  metaAddOperation,
  metaDeleteOperation,
  metaOperation,
  patientEverything,
  patientExport,
  rescopeOperation,
  rotateSecretOperation,
  systemExport,
  systemImport,
  translateOperation,
  updateEmailOperation,
  validateInSet,
  validateInSystem,
  validateOperation,
];

/**
 * Runs `$name`: one of ours, or one of the project's that a bot does. 404 for an operation that does not exist at this type and level, 405 for a method
 * that it does not take.
 */
export async function runOperation(name: string, input: OperationInput): Promise<Reply | StreamedReply> {
  const operation = findOperation(name, input);
  if (!operation) return runOwn(name, input);
  if (!operation.methods.some((method) => method === input.request.method)) {
    const headers = { allow: allowOf(operation) };
    throw new AppError('method-not-allowed', `${name} takes ${operation.methods.join(' or ')}`, { headers });
  }
  if (input.ctx.actor?.view && !operation.inView) throw notInView();
  return operation.run(input);
}

async function runOwn(name: string, input: OperationInput): Promise<Reply | StreamedReply> {
  const { ctx, type } = input;
  const own = await findBotOperation(ctx, name.slice(1), { level: levelOf(input), type });
  if (!own) throw new AppError('unknown-type', `Operation ${name.slice(0, 80)} is not supported here`);
  if (ctx.actor?.view) throw notInView();
  return runBotOperation(own, input);
}

/** What `Allow` says at `[type]/[id]/$name`. Undefined where there is no such operation. */
export function allowBelowInstance({ type = '', id, op = '' }: Record<string, string>): string | undefined {
  const operation = op.startsWith('$') ? findOperation(op, { type, id }) : undefined;
  return operation && allowOf(operation);
}

function levelOf({ type, id }: Pick<OperationInput, 'type' | 'id'>): OperationLevel {
  if (type === '') return 'system';
  return id === undefined ? 'type' : 'instance';
}

function findOperation(name: string, { type, id }: Pick<OperationInput, 'type' | 'id'>): Operation | undefined {
  const level = levelOf({ type, id });
  return OPERATIONS.find(
    ({ definition: { code, resource, at } }) =>
      `$${code}` === name && (resource === 'Resource' || resource === type) && at.includes(level),
  );
}

/** No HEAD: many an operation does something by GET. */
function allowOf({ methods }: Operation): string {
  return [...methods, 'OPTIONS'].join(', ');
}

export function mountedOperations(): NamedOperation[] {
  return OPERATIONS.map(({ definition }) => ({
    type: definition.resource,
    name: definition.code,
    definition: addressOf(definition),
    isUpdate: definition.resource === 'Resource' && definition.affectsState,
  }));
}

/** The OperationDefinition of this name that is ours, or of which HL7's is the base. */
export function definitionNamed(name: string): Record<string, unknown> | undefined {
  const operation = OPERATIONS.find(({ definition }) => nameOf(definition) === name);
  return operation && toDefinition(operation.definition);
}

export function definitions(): readonly Operation['definition'][] {
  return OPERATIONS.map(({ definition }) => definition);
}
