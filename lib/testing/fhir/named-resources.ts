import type { Answer } from '../call-api.ts';
import { callFhir } from './call-fhir.ts';
import type { Caller } from './fhir-project.ts';

type Body = Answer['body'];

/** Resources that a test file makes and speaks of by names of its own. `make` resolves to the reference. */
export function namedResources(caller: () => Caller) {
  const made: Record<string, Body> = {};
  const make = async (name: string, body: Record<string, unknown>): Promise<string> => {
    made[name] = (await callFhir(caller(), 'POST', `${body.resourceType}`, { body })).body;
    return `${body.resourceType}/${made[name].id}`;
  };
  return { made, make };
}
