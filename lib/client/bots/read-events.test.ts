import { expect, test } from 'vitest';
import { readEvents, type ServerEvent } from './read-events.ts';

function bodyOf(...pieces: (string | Uint8Array)[]): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    start(controller) {
      for (const piece of pieces) controller.enqueue(typeof piece === 'string' ? encoder.encode(piece) : piece);
      controller.close();
    },
  });
}

test('events are told however they were cut, and comments are none', async () => {
  const bytes = new TextEncoder().encode('data: {"a":"ü"}\n\n');
  const events: ServerEvent[] = [];
  const body = bodyOf('retry: 2000\n\n:\n\nid: 1\nev', 'ent: run\n', bytes.slice(0, 12), bytes.slice(12), 'id: 2\nda');
  for await (const event of readEvents(body)) events.push(event);
  expect(events).toEqual([{ id: '1', event: 'run', data: '{"a":"ü"}' }]);
});
