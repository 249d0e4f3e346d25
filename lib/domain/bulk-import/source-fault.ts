/** A file cannot be read, for now or at all; what it says is told to whoever asked. */
export class SourceFault extends Error {
  /** It may work in a moment. */
  readonly isPassing: boolean;

  constructor(message: string, isPassing: boolean, cause?: unknown) {
    super(message, { cause });
    this.isPassing = isPassing;
  }
}

/** What the network or the other server does to us. */
export function toSourceFault(error: unknown): SourceFault {
  if (error instanceof SourceFault) return error;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code.startsWith('Z_')) return new SourceFault('The file is not gzip, as its server says', false, error);
  return new SourceFault(`The file could not be read${code ? ` (${code})` : ''}`, true, error);
}
