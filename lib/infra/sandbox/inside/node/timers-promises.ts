type Options = { signal?: AbortSignal };

function later<T>(delayMs?: number, value?: T, { signal }: Options = {}): Promise<T> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(toAbortError(signal));
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', giveUp);
      resolve(value as T);
    }, delayMs);
    signal?.addEventListener('abort', giveUp, { once: true });

    function giveUp(): void {
      clearTimeout(timer);
      reject(toAbortError(signal!));
    }
  });
}

const soon = <T>(value?: T, options?: Options) => later(0, value, options);

async function* every<T>(delayMs?: number, value?: T, options?: Options): AsyncGenerator<T> {
  for (;;) yield await later(delayMs, value, options);
}

export function toAbortError({ reason }: AbortSignal): Error {
  const error = new Error('The operation was aborted', { cause: reason });
  return Object.assign(error, { name: 'AbortError', code: 'ABORT_ERR' });
}

export const scheduler = {
  wait: (delayMs: number, options?: Options) => later(delayMs, undefined, options),
  yield: () => soon(),
};
export { every as setInterval, later as setTimeout, soon as setImmediate };
