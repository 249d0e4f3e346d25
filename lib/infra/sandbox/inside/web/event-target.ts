type EventInit = { bubbles?: boolean; cancelable?: boolean; composed?: boolean };
type Listener = ((event: Event) => void) | { handleEvent(event: Event): void };
type ListenerOptions = boolean | { once?: boolean; passive?: boolean; capture?: boolean; signal?: EventTarget };
type Registered = { listener: Listener; capture: boolean; once: boolean; isRemoved: boolean };

/** https://dom.spec.whatwg.org/#interface-event, of targets that have no parent. */
export class Event {
  readonly type: string;
  readonly bubbles: boolean;
  readonly cancelable: boolean;
  readonly composed: boolean;
  readonly timeStamp = Date.now();
  readonly isTrusted = false;
  target: EventTarget | null = null;
  currentTarget: EventTarget | null = null;
  eventPhase = 0;
  defaultPrevented = false;
  isStopped = false;

  constructor(type: string, { bubbles = false, cancelable = false, composed = false }: EventInit = {}) {
    this.type = String(type);
    this.bubbles = bubbles;
    this.cancelable = cancelable;
    this.composed = composed;
  }

  preventDefault(): void {
    if (this.cancelable) this.defaultPrevented = true;
  }

  stopPropagation(): void {}

  stopImmediatePropagation(): void {
    this.isStopped = true;
  }

  composedPath(): EventTarget[] {
    return this.currentTarget ? [this.currentTarget] : [];
  }
}

export class CustomEvent extends Event {
  readonly detail: unknown;

  constructor(type: string, init: EventInit & { detail?: unknown } = {}) {
    super(type, init);
    this.detail = init.detail ?? null;
  }
}

export class EventTarget {
  #listeners = new Map<string, Registered[]>();

  addEventListener(type: string, listener: Listener | null, options: ListenerOptions = {}): void {
    if (!listener) return;
    const { once = false, capture = false, signal } = typeof options === 'object' ? options : { capture: options };
    if (signal && (signal as { aborted?: boolean }).aborted) return;
    const listeners = this.#listeners.get(type) ?? [];
    if (listeners.some((known) => known.listener === listener && known.capture === capture)) return;
    this.#listeners.set(type, [...listeners, { listener, capture, once, isRemoved: false }]);
    signal?.addEventListener('abort', () => this.removeEventListener(type, listener, capture), { once: true });
  }

  removeEventListener(type: string, listener: Listener | null, options: ListenerOptions = {}): void {
    const { capture = false } = typeof options === 'object' ? options : { capture: options };
    const listeners = this.#listeners.get(type) ?? [];
    const found = listeners.find((known) => known.listener === listener && known.capture === capture);
    if (!found) return;
    found.isRemoved = true;
    this.#listeners.set(
      type,
      listeners.filter((known) => known !== found),
    );
  }

  /** What a listener throws is nobody's answer: it is logged, and the next one hears. */
  dispatchEvent(event: Event): boolean {
    event.target = this;
    event.currentTarget = this;
    const handler = (this as unknown as Record<string, unknown>)[`on${event.type}`];
    if (typeof handler === 'function') attempt(() => handler.call(this, event));
    for (const known of this.#listeners.get(event.type) ?? []) {
      if (event.isStopped) break;
      if (known.isRemoved) continue;
      if (known.once) this.removeEventListener(event.type, known.listener, known.capture);
      const { listener } = known;
      attempt(() => (typeof listener === 'function' ? listener.call(this, event) : listener.handleEvent(event)));
    }
    event.currentTarget = null;
    return !event.defaultPrevented;
  }
}

function attempt(listen: () => void): void {
  try {
    listen();
  } catch (error) {
    // biome-ignore lint/suspicious/noConsole: it is the bot's own log
    console.error(error);
  }
}
