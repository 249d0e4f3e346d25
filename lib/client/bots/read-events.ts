export type ServerEvent = { id: string; event: string; data: string };

/** Server-sent events of a body (WHATWG HTML §9.2.6), each when its blank line has come. Comments are passed over. */
export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerEvent, void> {
  const decoder = new TextDecoder();
  const reader = body.getReader();
  let rest = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      rest += decoder.decode(value, { stream: true });
      const frames = rest.split('\n\n');
      rest = frames.pop()!;
      for (const frame of frames) {
        const event = toEvent(frame);
        if (event.data) yield event;
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

function toEvent(frame: string): ServerEvent {
  const event: ServerEvent = { id: '', event: 'message', data: '' };
  for (const line of frame.split('\n')) {
    const [, name, value = ''] = /^([a-z]+): ?(.*)$/.exec(line) ?? [];
    if (name === 'id' || name === 'event' || name === 'data') event[name] = value;
  }
  return event;
}
