type EventInit = { bubbles?: boolean; cancelable?: boolean; composed?: boolean };
type Listener = ((event: Event) => void) | { handleEvent(event: Event): void };
type ListenerOptions = boolean | { once?: boolean; passive?: boolean; capture?: boolean; signal?: EventTarget };
type Registered = { listener: Listener; capture: boolean; once: boolean; isRemoved: boolean };

/** One after the other hears of it, until it is stopped. */
let dispatch: (event: Event, target: EventTarget, listeners: () => Iterable<() => void>) => void;
/** For `events.getEventListeners`. */
export let listenersOf: (target: EventTarget, type: string) => Listener[];

/** https://dom.spec.whatwg.org/#interface-event, of targets that have no parent. */
export class Event {
  static readonly NONE = 0;
  static readonly CAPTURING_PHASE = 1;
  static readonly AT_TARGET = 2;
  static readonly BUBBLING_PHASE = 3;
  #type: string;
  #init: EventInit;
  #timeStamp = globalThis.performance.now();
  #target: EventTarget | null = null;
  #isDispatched = false;
  #isPrevented = false;
  #isStopped = false;
  #hasStopped = false;

  constructor(...given: [type?: string, init?: EventInit | null]) {
    if (given.length === 0) throw coded(new TypeError('The "type" argument must be specified'), 'ERR_MISSING_ARGS');
    this.#type = String(given[0]);
    this.#init = given[1] ?? {};
  }

  static {
    dispatch = (event, target, listeners) => {
      if (event.#isDispatched) throw coded(new Error('The event is already being dispatched'), 'ERR_EVENT_RECURSION');
      event.#target = target;
      event.#isDispatched = true;
      try {
        for (const listen of listeners()) {
          if (event.#isStopped) break;
          listen();
        }
      } finally {
        event.#isDispatched = false;
      }
    };
  }

  get type(): string {
    return this.#type;
  }

  get bubbles(): boolean {
    return Boolean(this.#init.bubbles);
  }

  get cancelable(): boolean {
    return Boolean(this.#init.cancelable);
  }

  get composed(): boolean {
    return Boolean(this.#init.composed);
  }

  get timeStamp(): number {
    return this.#timeStamp;
  }

  get isTrusted(): boolean {
    return false;
  }

  get target(): EventTarget | null {
    return this.#target;
  }

  get srcElement(): EventTarget | null {
    return this.#target;
  }

  get currentTarget(): EventTarget | null {
    return this.#isDispatched ? this.#target : null;
  }

  get eventPhase(): number {
    return this.#isDispatched ? Event.AT_TARGET : Event.NONE;
  }

  get defaultPrevented(): boolean {
    return this.#isPrevented;
  }

  get returnValue(): boolean {
    return !this.#isPrevented;
  }

  get cancelBubble(): boolean {
    return this.#hasStopped;
  }

  preventDefault(): void {
    if (this.cancelable) this.#isPrevented = true;
  }

  stopPropagation(): void {
    this.#hasStopped = true;
  }

  stopImmediatePropagation(): void {
    this.#hasStopped = true;
    this.#isStopped = true;
  }

  composedPath(): EventTarget[] {
    return this.#isDispatched && this.#target ? [this.#target] : [];
  }
}

export class CustomEvent extends Event {
  #detail: unknown;

  constructor(...given: [type?: string, init?: (EventInit & { detail?: unknown }) | null]) {
    super(...given);
    this.#detail = given[1]?.detail ?? null;
  }

  get detail(): unknown {
    return this.#detail;
  }
}

export class EventTarget {
  #listeners = new Map<string, Registered[]>();

  static {
    listenersOf = (target, type) => (target.#listeners.get(type) ?? []).map(({ listener }) => listener);
  }

  addEventListener(type: string, listener: Listener | null, options?: ListenerOptions | null): void {
    if (!listener) return;
    if (typeof listener !== 'function' && typeof listener !== 'object') {
      const got = `type ${typeof listener} (${String(listener)})`;
      const text = `The "listener" argument must be an instance of EventListener. Received ${got}`;
      throw coded(new TypeError(text), 'ERR_INVALID_ARG_TYPE');
    }
    const { once = false, capture = false, signal } = toOptions(options);
    if (signal && (signal as { aborted?: boolean }).aborted) return;
    const listeners = this.#listeners.get(type) ?? [];
    if (listeners.some((known) => known.listener === listener && known.capture === capture)) return;
    listeners.push({ listener, capture, once, isRemoved: false });
    this.#listeners.set(type, listeners);
    signal?.addEventListener('abort', () => this.removeEventListener(type, listener, capture), { once: true });
  }

  removeEventListener(type: string, listener: Listener | null, options?: ListenerOptions | null): void {
    const { capture = false } = toOptions(options);
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
    if (!(event instanceof Event)) {
      const got = typeof event === 'object' && event !== null ? 'an instance of Object' : String(event);
      const text = `The "event" argument must be an instance of Event. Received ${got}`;
      throw coded(new TypeError(text), 'ERR_INVALID_ARG_TYPE');
    }
    dispatch(event, this, () => this.#heard(event));
    return !event.defaultPrevented;
  }

  *#heard(event: Event): Iterable<() => void> {
    const handler = (this as unknown as Record<string, unknown>)[`on${event.type}`];
    if (typeof handler === 'function') yield () => attempt(() => handler.call(this, event));
    for (const known of [...(this.#listeners.get(event.type) ?? [])]) {
      if (known.isRemoved) continue;
      if (known.once) this.removeEventListener(event.type, known.listener, known.capture);
      const { listener } = known;
      yield () =>
        attempt(() => (typeof listener === 'function' ? listener.call(this, event) : listener.handleEvent(event)));
    }
  }
}

function toOptions(options: ListenerOptions | null | undefined): Exclude<ListenerOptions, boolean> {
  return typeof options === 'object' && options !== null ? options : { capture: Boolean(options) };
}

function coded<T extends Error>(error: T, code: string): T {
  return Object.assign(error, { code });
}

function attempt(listen: () => void): void {
  try {
    listen();
  } catch (error) {
    // biome-ignore lint/suspicious/noConsole: it is the bot's own log
    console.error(error);
  }
}
