'use client';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { FoundPatients } from '#lib/protocol/answers/authorization.ts';
import type { PatientFilter, PatientsRequest } from '#lib/protocol/launch/requests.ts';
import { api } from '../api/api.ts';
import { keys } from '../api/query-keys.ts';

const QUIET_MS = 250;

/** Whom the app may be about, as soon as nobody types for a moment. `query`: the app's request. */
export function usePatients(query: string, membership: string | undefined, filter: PatientFilter) {
  const asked = useQuiet(JSON.stringify(filter));
  return useQuery({
    queryKey: ['patients', query, membership, asked],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => findPatients({ request: query, membership, ...(JSON.parse(asked) as object) }, signal),
  });
}

function findPatients(body: PatientsRequest, signal: AbortSignal): Promise<FoundPatients> {
  return api('/auth/authorization/patients', { method: 'POST', signingIn: true, body, signal });
}

/** About whom an app may be opened from the console: whom the person may read themselves. */
export function useOwnPatients(projectId: string, filter: PatientFilter) {
  const asked = useQuiet(JSON.stringify(filter));
  return useQuery({
    queryKey: [...keys.project(projectId), 'launch-patients', asked],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }): Promise<FoundPatients> =>
      api('/auth/launch/patients', { method: 'POST', body: JSON.parse(asked), signal }),
  });
}

function useQuiet(value: string): string {
  const [quiet, setQuiet] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setQuiet(value), QUIET_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return quiet;
}
