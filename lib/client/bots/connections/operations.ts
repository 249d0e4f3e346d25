'use client';
import { useQuery } from '@tanstack/react-query';
import {
  implementingBot,
  isOnAllTypes,
  type OperationDefinition,
} from '#lib/protocol/bots/operations/operation-definition.ts';
import type { Stored } from '#lib/protocol/fhir/types.ts';
import { api } from '../../api/api.ts';
import { keys } from '../../api/query-keys.ts';

export type Definition = Stored<OperationDefinition> & { title?: string; name?: string };
type DefinitionBundle = { entry?: { resource: Definition }[]; link?: { relation: string }[] };

const MOST = 200;
const ELEMENTS = 'code,title,name,status,kind,resource,system,type,instance,extension';

/** The operations that a bot does, by what defines them; `isWhole`: false where the project has more definitions than are looked at. */
export function useOperations(projectId: string, botId: string) {
  return useQuery({
    queryKey: [...keys.bot(projectId, botId), 'operations'],
    queryFn: async ({ signal }) => {
      const query = new URLSearchParams({
        status: 'active',
        kind: 'operation',
        _count: String(MOST),
        _elements: ELEMENTS,
      });
      const { entry = [], link = [] } = await api<DefinitionBundle>(`/fhir/R4/OperationDefinition?${query}`, {
        signal,
      });
      const base = new URL('/fhir/R4', window.location.origin).href;
      const definitions = entry.map(({ resource }) => resource).filter((one) => implementingBot(one, base) === botId);
      return { definitions, isWhole: !link.some(({ relation }) => relation === 'next') };
    },
  });
}

/** The addresses at which it is called, below the server's base. */
export function addressesOf(definition: OperationDefinition): string[] {
  const { code, resource = [], system, type, instance } = definition;
  const types = isOnAllTypes(definition) ? ['[type]'] : resource;
  return [
    ...(system ? [`/fhir/R4/$${code}`] : []),
    ...(type ? types.map((one) => `/fhir/R4/${one}/$${code}`) : []),
    ...(instance ? types.map((one) => `/fhir/R4/${one}/[id]/$${code}`) : []),
  ];
}
