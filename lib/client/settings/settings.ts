'use client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ProjectSettings } from '#lib/protocol/answers/project-settings.ts';
import type { DefaultPolicy, Project, Stored } from '#lib/protocol/fhir/types.ts';
import { api } from '../api/api.ts';
import { keys } from '../api/query-keys.ts';
import type { FrameMe } from '../frame/me.ts';

export const DEFAULT_POLICY_TYPES = [
  'Practitioner',
  'Patient',
  'RelatedPerson',
  'Admin',
] as const satisfies readonly DefaultPolicy['profileType'][];

export type DefaultPolicyType = (typeof DEFAULT_POLICY_TYPES)[number];

/** What the console edits of a project; the rest stays as it is. */
export type ProjectEdit = Partial<Pick<Project, 'name' | 'description' | 'defaultAccessPolicies' | 'setting'>>;

const projectKey = (projectId: string) => [...keys.settings(projectId), 'project'];
const secretsKey = (projectId: string) => [...keys.settings(projectId), 'secrets'];

export function useProject(projectId: string) {
  return useQuery({
    queryKey: projectKey(projectId),
    queryFn: ({ signal }) => readProject(projectId, signal),
  });
}

export async function readProject(projectId: string, signal?: AbortSignal): Promise<Stored<Project>> {
  return api<Stored<Project>>(`/fhir/R4/Project/${projectId}`, { signal });
}

/** Changes what `edit` names and nothing else. 412 when the project changed since `project` was read. */
export function useSaveProject(projectId: string) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: ({ project, edit }: { project: Stored<Project>; edit: ProjectEdit }) =>
      api<Stored<Project>>(`/fhir/R4/Project/${projectId}`, {
        method: 'PATCH',
        contentType: 'application/json-patch+json',
        body: toPatch(project, edit),
        ifMatch: project.meta?.versionId,
      }),
    onSuccess: (project) => {
      cache.setQueryData(projectKey(projectId), project);
      // What pages say of the project everywhere.
      const { name, setting } = project;
      cache.setQueryData<FrameMe>(keys.me, (me) => me && { ...me, project: { ...me.project, name, setting } });
      void cache.invalidateQueries({ queryKey: keys.overview(projectId) });
      void cache.invalidateQueries({ queryKey: keys.memberships });
    },
  });
}

/** RFC 6902; an empty value is removed, not kept as "". */
export function toPatch(project: Project, edit: ProjectEdit) {
  return Object.entries(edit).flatMap(([name, value]) => {
    const path = `/${name}`;
    const isEmpty = value === undefined || value.length === 0;
    if (!isEmpty) return [{ op: 'add', path, value }];
    return project[name as keyof ProjectEdit] === undefined ? [] : [{ op: 'remove', path }];
  });
}

/** What marks of a secret go by: what is pending about it. */
export function toSecretId(name: string): string {
  return `secret/${name}`;
}

/** Names only: the values are write-only here. */
export function useSecretNames(projectId: string) {
  return useQuery({
    queryKey: secretsKey(projectId),
    queryFn: async ({ signal }) => {
      const { project } = await api<ProjectSettings>(`/admin/projects/${projectId}`, { signal });
      return project.secret.map(({ name }) => name);
    },
  });
}

export function usePutSecret(projectId: string) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: ({ name, value }: { name: string; value: string }) =>
      api(`/admin/projects/${projectId}/secrets/${encodeURIComponent(name)}`, {
        method: 'PUT',
        body: { valueString: value },
      }),
    meta: { about: ({ name }: { name: string }) => [toSecretId(name)] },
    onSuccess: () => cache.invalidateQueries({ queryKey: secretsKey(projectId) }),
  });
}

export function useDeleteSecret(projectId: string) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (name: string) =>
      api(`/admin/projects/${projectId}/secrets/${encodeURIComponent(name)}`, { method: 'DELETE' }),
    meta: { about: (name: string) => [toSecretId(name)] },
    onSettled: () => cache.invalidateQueries({ queryKey: secretsKey(projectId) }),
  });
}
