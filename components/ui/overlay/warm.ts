/** For what a press will open: its script is fetched as soon as pointer, finger or focus come near. */
export function warm(load: () => Promise<unknown>) {
  // What fails now fails again at the press, and is said there.
  const fetchNow = () => void load().catch(() => undefined);
  return { onPointerEnter: fetchNow, onPointerDown: fetchNow, onFocus: fetchNow };
}
