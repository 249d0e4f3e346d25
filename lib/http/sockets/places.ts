import { makeGauge } from '#lib/infra/metrics/registry.ts';

type Owner = { projectId: string; membershipId: string };

/** Of one process. */
const MOST_OF_MEMBER = 50;
const MOST_OF_PROJECT = 5000;

const open = new Map<string, number>();

makeGauge('gatehouse_sockets_listening', 'WebSockets that listen to subscriptions.', [], () => [
  { value: [...open].reduce((sum, [key, count]) => sum + (key.includes(' ') ? 0 : count), 0) },
]);

/** The sockets that listen, by project and member: each has so many places in a process. */
export const places = {
  enter(owner: Owner): boolean {
    const [project, member] = keysOf(owner);
    if ((open.get(project) ?? 0) >= MOST_OF_PROJECT || (open.get(member) ?? 0) >= MOST_OF_MEMBER) return false;
    for (const key of [project, member]) open.set(key, (open.get(key) ?? 0) + 1);
    return true;
  },
  leave(owner: Owner): void {
    for (const key of keysOf(owner)) {
      const left = (open.get(key) ?? 1) - 1;
      if (left > 0) open.set(key, left);
      else open.delete(key);
    }
  },
};

function keysOf({ projectId, membershipId }: Owner): [project: string, member: string] {
  return [projectId, `${projectId} ${membershipId}`];
}
