import { log } from '#lib/base/log.ts';

/** What makes them, and is told when nobody wants more. */
type Pieces = {
  next(): Promise<IteratorResult<string | Uint8Array>>;
  return(value: undefined): Promise<unknown>;
};

/**
 * A body of pieces, each made when the one before is on its way: a caller who reads slowly, or who goes, holds nothing up. What fails ends
 * the connection in the middle: a file that breaks off is not taken for a whole one.
 */
export function streamed(pieces: Pieces): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let isGone = false;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await pieces.next();
          if (isGone) return;
          if (done) controller.close();
          else controller.enqueue(typeof value === 'string' ? encoder.encode(value) : value);
        } catch (error) {
          // Nobody waits for it any more: that it ends is no failure.
          if (isGone) return;
          log.error({ err: error }, 'an answer broke off');
          controller.error(error);
        }
      },
      async cancel() {
        isGone = true;
        await pieces.return(undefined);
      },
    },
    { highWaterMark: 0 },
  );
}
