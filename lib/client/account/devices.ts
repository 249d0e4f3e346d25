'use client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { OwnDevice, OwnDevices } from '#lib/protocol/devices/answers.ts';
import { api } from '../api/api.ts';
import { keys } from '../api/query-keys.ts';

export function useDevices() {
  return useQuery({
    queryKey: keys.devices,
    queryFn: ({ signal }) => api<OwnDevices>('/auth/devices', { signal }),
  });
}

export function useNameDevice() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: ({ id, name }: { id: string; name: string | null }) =>
      api<OwnDevice>(`/auth/devices/${id}`, { method: 'PUT', body: { name } }),
    meta: { about: ({ id }: { id: string }) => [id] },
    onSettled: () => cache.invalidateQueries({ queryKey: keys.devices }),
  });
}

/** Ends what is open in it. */
export function useForgetDevice() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => api<{ ended: number }>(`/auth/devices/${id}`, { method: 'DELETE' }),
    meta: { about: (id: string) => [id] },
    onSettled: () =>
      Promise.all([
        cache.invalidateQueries({ queryKey: keys.devices }),
        cache.invalidateQueries({ queryKey: keys.me }),
      ]),
  });
}
