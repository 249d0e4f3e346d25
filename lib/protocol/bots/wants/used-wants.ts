import { isResourceType } from '../../fhir/type-ids.ts';
import { interactionOf, METHODS } from './methods.ts';
import { keyOf, type Want } from './wants.ts';

type Call = { method: string; target?: string };

/** What the calls of runs, as they are on record, have used. */
export function usedWants(calls: readonly Call[]): { wants: Want[] } {
  const wants = new Map<string, Want>();
  const add = (want: Want) => wants.set(keyOf(want), want);
  for (const { method, target = '' } of calls) {
    if (method === 'fetch') {
      // `GET first.example → second.example`
      for (const host of target.replace(/^[A-Z]+ /, '').split(' → ')) {
        const name = URL.parse(`https://${host}`)?.hostname;
        if (name) add({ kind: 'host', name });
      }
      continue;
    }
    const [, verb = '', path = ''] = /^(?:([A-Z]+) )?(.*)$/.exec(target) ?? [];
    const type = path.split('/')[0] ?? '';
    if (!isResourceType(type)) continue;
    const one = verb && interactionOf(verb, path);
    // The record of a GET has no id: it was a read or a search.
    const asked = verb === 'GET' ? (['read', 'search'] as const) : one ? [one] : METHODS.get(method)?.interactions;
    for (const interaction of asked ?? []) add({ kind: 'resource', type, interaction });
  }
  return { wants: [...wants.values()] };
}
