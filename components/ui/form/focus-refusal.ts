/** Puts the focus on the first refused control within `node`, once it is rendered as such. */
export function focusRefusal(node: Element | null): void {
  setTimeout(() => {
    const refused = node?.querySelector<HTMLElement>('[aria-invalid=true]');
    refused?.focus({ preventScroll: true });
    refused?.scrollIntoView({ block: 'center' });
  });
}
