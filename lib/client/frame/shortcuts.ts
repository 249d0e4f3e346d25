const KEY = 'gatehouse:single-keys';

/** Whether keys without Ctrl or Cmd do anything on this device (WCAG 2.1.4). On, until somebody turns them off. */
export function singleKeysOn(): boolean {
  try {
    return localStorage.getItem(KEY) !== 'off';
  } catch {
    return true;
  }
}

export function setSingleKeys(on: boolean): void {
  if (on) localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, 'off');
}
