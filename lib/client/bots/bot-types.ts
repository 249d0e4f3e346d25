import { ApiError } from '../api/api-error.ts';
import { ofPageProject } from '../api/page-project.ts';

/** The declarations for the editor of bots, gzipped. Unlike other answers the browser keeps them: they change with a release alone. */
export async function readBotTypes(signal: AbortSignal): Promise<ArrayBuffer> {
  const response = await fetch('/admin/bot-types', { headers: ofPageProject(), credentials: 'same-origin', signal });
  if (!response.ok) throw new ApiError(response.status, [], response.headers.get('x-request-id') ?? undefined);
  return response.arrayBuffer();
}
