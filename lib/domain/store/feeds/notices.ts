import type { Op } from './read-subscription.ts';

/** A change, named, and what those wait for whom it concerns (`Feed.endpoint`). */
export type Notice = { projectId: string; type: string; id: string; version: string; op: Op; feeds: string[] };

/** Of 20 characters; a payload of NOTIFY has 8,000 bytes. */
const MOST_FEEDS = 300;

/** As they are told between processes: names alone, nothing of what changed. */
export function toNotices({ projectId, type, id, version, op, feeds }: Notice): string[] {
  const texts: string[] = [];
  for (let at = 0; at < feeds.length; at += MOST_FEEDS)
    texts.push([projectId, op, type, id, version, ...feeds.slice(at, at + MOST_FEEDS)].join(' '));
  return texts;
}

/** Undefined for what a later release says. */
export function readNotice(text: string): Notice | undefined {
  const [projectId, op, type, id, version, ...feeds] = text.split(' ');
  if (!projectId || !type || !id || !version) return undefined;
  if (op !== 'create' && op !== 'update' && op !== 'delete') return undefined;
  return { projectId, type, id, version, op, feeds };
}
