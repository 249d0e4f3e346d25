import { AppError } from '#lib/base/errors.ts';
import type { Ctx } from '#lib/domain/access/context.ts';
import { followRuns, type LiveEvent } from '#lib/domain/run-log/live/follow-runs.ts';
import { liveRunsQuery } from '#lib/protocol/bots/runs/run-sight.ts';
import { parseCursor } from '#lib/protocol/cursor.ts';
import { authenticate } from '../door/authenticate.ts';
import { readQuery } from '../door/read-query.ts';
import type { StreamedReply } from '../door/reply.ts';
import { streamed } from '../door/streamed.ts';
import { wantsStream } from './stream.ts';

/**
 * Runs as server-sent events (WHATWG HTML §9.2), from after the event that Last-Event-ID names. Throws 400 for one that is none of ours, and 406 to who
 * does not ask for a stream: it would not end.
 */
export function liveRuns(ctx: Ctx, request: Request, url: URL, projectId: string): StreamedReply {
  const filter = readQuery(url, liveRunsQuery);
  const last = request.headers.get('last-event-id');
  const after = last ? parseCursor(last) : undefined;
  if (last && !after)
    throw new AppError('invalid', 'Last-Event-ID must be the id of an event', { expression: 'http.Last-Event-ID' });
  if (!wantsStream(request))
    throw new AppError('not-acceptable', 'This is a stream: ask for it by Accept: text/event-stream');
  const { events, end } = followRuns(ctx, projectId, { filter, after, again: () => authenticate(ctx, request) });
  const frames = toFrames(events);
  const body = streamed({ next: () => frames.next(), return: async () => end() });
  return { status: 200, body, contentType: 'text/event-stream; charset=utf-8' };
}

async function* toFrames(events: AsyncGenerator<LiveEvent, void>): AsyncGenerator<string, void> {
  // Proxies and browsers then know that it has begun.
  yield 'retry: 2000\n\n';
  for await (const event of events) yield toFrame(event);
}

function toFrame(event: LiveEvent): string {
  if (event.kind === 'alive') return ':\n\n';
  const data = JSON.stringify(event.kind === 'run' ? event.run : {});
  return `id: ${event.id}\nevent: ${event.kind}\ndata: ${data}\n\n`;
}
