import Negotiator from 'negotiator';

/** The media types that a caller's Accept names, best first and in small letters; what it gives `q=0` is not among them. None without the header. */
export function acceptedTypes(request: Request): string[] {
  return acceptOf(request)
    .mediaTypes()
    .map((type) => type.toLowerCase());
}

/** Whether a caller's Accept takes one of these, parameters and all. */
export function acceptsOneOf(request: Request, types: readonly string[]): boolean {
  return acceptOf(request).mediaType(types) !== undefined;
}

function acceptOf({ headers }: Request): Negotiator {
  return new Negotiator({ headers: { accept: headers.get('accept') ?? '' } });
}
