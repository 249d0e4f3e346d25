import Link from 'next/link';
import { formatPlace, toPieces } from '#lib/client/bots/stack-places.ts';

export type StackTextProps = { projectId: string; botId: string; text: string };

/** What a run failed with; its places in the source lead there. */
export function StackText({ projectId, botId, text }: StackTextProps) {
  let at = 0;
  return toPieces(text).map((piece) => {
    const key = at;
    if (typeof piece === 'string') {
      at += piece.length;
      return piece;
    }
    const place = formatPlace(piece);
    at += place.length;
    return (
      <Link
        key={key}
        href={`/p/${projectId}/bots/${botId}?${new URLSearchParams({ at: place })}`}
        className="underline decoration-1 underline-offset-2 hover:decoration-2"
      >
        {place}
      </Link>
    );
  });
}
