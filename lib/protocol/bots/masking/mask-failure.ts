const HIDDEN = 'its message is shown when this run is revealed';

/** A failure as it may be shown: masked, or, where nothing of it may be, its class and where it was thrown. `mask` as of `maskRun`. */
export function maskFailure(text: string, mask: (text: string) => string | null): string {
  const masked = mask(text);
  if (masked !== null) return masked;
  const [kind] = /^[A-Z]\w{0,60}(?=:|$)/.exec(text) ?? ['Failed'];
  const frames = text.split('\n').filter((line) => /^ {4}at .{0,300}$/.test(line) && !line.includes('://'));
  return [`${kind}: ${HIDDEN}`, ...frames].join('\n');
}
