/** Which results this browser has put away: ids, joined by spaces, the newest last. */
const KEY = 'dismissed-jobs';
const MOST = 50;

const listeners = new Set<() => void>();

export function readDismissed(): string {
  return window.localStorage.getItem(KEY) ?? '';
}

export function dismissJob(id: string): void {
  const ids = [...readDismissed().split(' ').filter(Boolean), id].slice(-MOST);
  window.localStorage.setItem(KEY, ids.join(' '));
  for (const notify of listeners) notify();
}

export function subscribeDismissed(notify: () => void): () => void {
  listeners.add(notify);
  return () => listeners.delete(notify);
}
