import { expect } from 'vitest';
import { invitation, type World } from './world.ts';

/** The id of a bulk job that waits for a worker. */
export async function startJob(world: World, body: unknown): Promise<string> {
  const answer = await world.call('POST', '/jobs', { body });
  expect(answer.status, answer.text).toBe(202);
  expect(answer.headers.get('location')).toBe(`/admin/projects/${world.projectId}/jobs/${answer.body.id}`);
  return answer.body.id;
}

export async function readJob(world: World, jobId: string) {
  return (await world.call('GET', `/jobs/${jobId}`)).body;
}

/** Rows for a job of kind `invite`. */
export function invites(count: number): Record<string, unknown>[] {
  return Array.from({ length: count }, (_, index) => invitation({ lastName: `Bulk${index}` }));
}
