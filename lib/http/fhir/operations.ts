import { AppError } from '#lib/base/errors.ts';
import type { NamedOperation } from '#lib/domain/rest/capability-statement.ts';
import type { Reply } from '../door/reply.ts';
import { deployOperation, executeOperation } from './bot.ts';
import { groupExport, patientExport, systemExport } from './bulk/export.ts';
import { rotateSecretOperation } from './client.ts';
import { encounterEverything, patientEverything } from './everything.ts';
import type { Operation, OperationInput } from './operation.ts';
import { initProjectOperation } from './project.ts';
import { expandOperation } from './terminology/expand.ts';
import { lookupOperation } from './terminology/lookup.ts';
import { translateOperation } from './terminology/translate.ts';
import { validateInSystem } from './terminology/validate-code.ts';
import { validateInSet } from './terminology/validate-in-set.ts';
import { rescopeOperation, updateEmailOperation } from './user.ts';
import { validateOperation } from './validate.ts';

/** By `Type/$name` and `Type/[id]/$name`, and `/$name` of the system; `*` is every type. */
const OPERATIONS: Record<string, Operation> = {
  '/$export': systemExport,
  '*/$validate': validateOperation,
  '*/[id]/$validate': validateOperation,
  'Bot/$execute': executeOperation,
  'Bot/[id]/$execute': executeOperation,
  'Bot/[id]/$deploy': deployOperation,
  'CodeSystem/$lookup': lookupOperation,
  'CodeSystem/$validate-code': validateInSystem,
  'CodeSystem/[id]/$validate-code': validateInSystem,
  'ConceptMap/$translate': translateOperation,
  'ConceptMap/[id]/$translate': translateOperation,
  'Encounter/[id]/$everything': encounterEverything,
  'Group/[id]/$export': groupExport,
  'Patient/$export': patientExport,
  'Patient/[id]/$everything': patientEverything,
  'ClientApplication/[id]/$rotate-secret': rotateSecretOperation,
  'Project/$init': initProjectOperation,
  'User/[id]/$rescope': rescopeOperation,
  'User/[id]/$update-email': updateEmailOperation,
  'ValueSet/$expand': expandOperation,
  'ValueSet/[id]/$expand': expandOperation,
  'ValueSet/$validate-code': validateInSet,
  'ValueSet/[id]/$validate-code': validateInSet,
};

/** Runs `$name`. 404 for an operation that does not exist at this type and level, 405 for a method that it does not take. */
export function runOperation(name: string, input: OperationInput): Promise<Reply> {
  const path = input.id === undefined ? name : `[id]/${name}`;
  const operation = find(`${input.type}/${path}`) ?? (input.type === '' ? undefined : find(`*/${path}`));
  if (!operation) {
    throw new AppError('unknown-type', `Operation ${name.slice(0, 80)} is not supported here`);
  }
  if (!operation.methods.some((method) => method === input.request.method)) {
    const headers = { allow: operation.methods.join(', ') };
    throw new AppError('method-not-allowed', `${name} takes ${operation.methods.join(' or ')}`, { headers });
  }
  return operation.run(input);
}

/** Each once, also where it is both at the type and at the instance. */
export function mountedOperations(): NamedOperation[] {
  const named = Object.entries(OPERATIONS).map(([path, { definition }]) => {
    const [type = '', name = ''] = path.replace('[id]/', '').split('/$');
    return { type, name, definition };
  });
  return [...new Map(named.map((operation) => [`${operation.type}/${operation.name}`, operation])).values()];
}

function find(key: string): Operation | undefined {
  return Object.hasOwn(OPERATIONS, key) ? OPERATIONS[key] : undefined;
}
