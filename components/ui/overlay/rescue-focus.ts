/**
 * Call it when something leaves that may have had the focus: if the focus went with it, `before` has it again, or else the page itself,
 * and not the top of the window (WCAG 2.4.3).
 */
export function rescueFocus(before?: Element | null): void {
  setTimeout(() => {
    const isLost = document.activeElement === null || document.activeElement === document.body;
    if (!isLost) return;
    const isThere = before instanceof HTMLElement && before.isConnected && before !== document.body;
    // What stays in sight stays where it is.
    (isThere ? before : document.querySelector<HTMLElement>('main'))?.focus({ preventScroll: true });
  });
}
