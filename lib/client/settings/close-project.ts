import type { ProjectClosed } from '#lib/protocol/answers/project-closed.ts';
import { api } from '../api/api.ts';

export async function closeProject(projectId: string, name: string, remove: boolean): Promise<ProjectClosed> {
  const body = { name, ...(remove && { remove }) };
  return api(`/admin/projects/${projectId}/close`, { method: 'POST', body });
}
