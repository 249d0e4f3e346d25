import type { Write } from '../access/context.ts';

const FOR = ' for ';

/**
 * What stands in the column `author` when `author` is who acts in this transaction: who really does it and, when that is somebody else
 * (X-Medplum-On-Behalf-Of), for whom.
 */
export function byWhom({ actor }: Pick<Write, 'actor'>, author: string | undefined): string | null {
  if (author === undefined) return null;
  return actor?.caller && author === actor.profile ? `${actor.caller.profile}${FOR}${author}` : author;
}

/** Who wrote it, and for whom, where they acted for another. */
export function toParties(author: string): { by: string; forWhom: string | undefined } {
  const [by = author, forWhom] = author.split(FOR, 2);
  return { by, forWhom };
}

/** `meta.author` and `meta.onBehalfOf` (contract §1.4), as JSON text. */
export function toAuthorship(author: string): string {
  const { by, forWhom } = toParties(author);
  const reference = (text: string) => `{"reference":${JSON.stringify(text)}}`;
  return `"author":${reference(by)}${forWhom ? `,"onBehalfOf":${reference(forWhom)}` : ''}`;
}
