import { DOMException } from './dom-exception.ts';
import { Event, EventTarget } from './event-target.ts';

const MAKE = Symbol('make');

/** https://dom.spec.whatwg.org/#interface-AbortSignal */
export class AbortSignal extends EventTarget {
  aborted = false;
  reason: unknown = undefined;
  onabort: ((event: Event) => void) | null = null;

  constructor(key?: symbol) {
    super();
    if (key !== MAKE) throw Object.assign(new TypeError('Illegal constructor'), { code: 'ERR_ILLEGAL_CONSTRUCTOR' });
  }

  throwIfAborted(): void {
    if (this.aborted) throw this.reason;
  }

  static abort(reason?: unknown): AbortSignal {
    const signal = new AbortSignal(MAKE);
    signal.aborted = true;
    signal.reason = reason === undefined ? aborted() : reason;
    return signal;
  }

  static timeout(delayMs: number): AbortSignal {
    if (!(delayMs >= 0 && delayMs <= 2 ** 32 - 1)) {
      const text = `The value of "delay" is out of range. It must be >= 0 && <= 4294967295. Received ${delayMs}`;
      throw Object.assign(new RangeError(text), { code: 'ERR_OUT_OF_RANGE' });
    }
    const signal = new AbortSignal(MAKE);
    setTimeout(
      () => end(signal, new DOMException('The operation was aborted due to timeout', 'TimeoutError')),
      delayMs,
    );
    return signal;
  }

  static any(signals: Iterable<AbortSignal>): AbortSignal {
    const all = Array.from(signals);
    const over = all.find((signal) => signal.aborted);
    if (over) return AbortSignal.abort(over.reason);
    const signal = new AbortSignal(MAKE);
    for (const each of all) each.addEventListener('abort', () => end(signal, each.reason), { once: true });
    return signal;
  }

  get [Symbol.toStringTag](): string {
    return 'AbortSignal';
  }
}

export class AbortController {
  readonly signal = new AbortSignal(MAKE);

  abort(reason?: unknown): void {
    end(this.signal, reason === undefined ? aborted() : reason);
  }

  get [Symbol.toStringTag](): string {
    return 'AbortController';
  }
}

function end(signal: AbortSignal, reason: unknown): void {
  if (signal.aborted) return;
  signal.aborted = true;
  signal.reason = reason;
  signal.dispatchEvent(new Event('abort'));
}

function aborted(): DOMException {
  return new DOMException('This operation was aborted', 'AbortError');
}
