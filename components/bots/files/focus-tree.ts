export const FILES_TREE = 'bot-files';

/** To the row that is marked, once it stands there: after what opened a dialog has another name, or is gone. */
export function focusTree(): void {
  requestAnimationFrame(() => document.querySelector<HTMLElement>(`#${FILES_TREE} [tabindex="0"]`)?.focus());
}
