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

/** `meta.author` and `meta.onBehalfOf` (contract §1.4), as JSON text. */
export function toAuthorship(author: string): string {
  const [by, forWhom] = author.split(FOR, 2);
  const reference = (text: string) => `{"reference":${JSON.stringify(text)}}`;
  return `"author":${reference(by ?? author)}${forWhom ? `,"onBehalfOf":${reference(forWhom)}` : ''}`;
}
