// biome-ignore lint/suspicious/noExplicitAny: of any function
type Any = (...args: any[]) => any;

const custom: unique symbol = Symbol.for('nodejs.util.promisify.custom') as never;

/** https://nodejs.org/api/util.html#utilpromisifyoriginal */
export const promisify = Object.assign(
  (original: Any & { [custom]?: Any }): Any => {
    checkFunction(original, 'original');
    const own = original[custom];
    if (own) {
      checkFunction(own, 'util.promisify.custom');
      return Object.defineProperty(own, custom, { value: own, configurable: true });
    }
    function promised(this: unknown, ...args: unknown[]): Promise<unknown> {
      return new Promise((resolve, reject) => {
        original.call(this, ...args, (error: unknown, value: unknown) => (error ? reject(error) : resolve(value)));
      });
    }
    Object.setPrototypeOf(promised, Object.getPrototypeOf(original));
    Object.defineProperty(promised, custom, { value: promised, configurable: true });
    return Object.defineProperties(promised, Object.getOwnPropertyDescriptors(original));
  },
  { custom },
);

export function callbackify(original: Any): Any {
  checkFunction(original, 'original');
  function called(this: unknown, ...args: unknown[]): void {
    const done = args.pop() as Any;
    checkFunction(done, 'last argument');
    original.apply(this, args).then(
      (value: unknown) => process.nextTick(done, null, value),
      (reason: unknown) => process.nextTick(done, reason || falsy(reason)),
    );
  }
  Object.setPrototypeOf(called, Object.getPrototypeOf(original));
  const { length, name, ...others } = Object.getOwnPropertyDescriptors(original);
  return Object.defineProperties(called, {
    ...others,
    length: { ...length, value: original.length + 1 },
    name: { ...name, value: `${original.name}Callbackified` },
  });
}

function falsy(reason: unknown): Error {
  const error = new Error('Promise was rejected with falsy value');
  return Object.assign(error, { code: 'ERR_FALSY_VALUE_REJECTION', reason });
}

const warned = new Set<string>();

/** Says once that it is deprecated; for each code once. */
export function deprecate(original: Any, message: string, code?: string): Any {
  let isTold = false;
  function told(this: unknown, ...args: unknown[]): unknown {
    if (!isTold && !(code && warned.has(code))) process.emitWarning(message, 'DeprecationWarning', code);
    isTold = true;
    if (code) warned.add(code);
    return new.target ? Reflect.construct(original, args, new.target) : original.apply(this, args);
  }
  Object.setPrototypeOf(told, original);
  if (original.prototype) told.prototype = original.prototype;
  return Object.defineProperty(told, 'length', { value: original.length, configurable: true });
}

export function inherits(Class: Any & { super_?: Any }, Above: Any): void {
  checkFunction(Class, 'ctor');
  checkFunction(Above, 'superCtor');
  Object.defineProperty(Class, 'super_', { value: Above, writable: true, configurable: true });
  Object.setPrototypeOf(Class.prototype, Above.prototype);
}

/** Of sections that `NODE_DEBUG` names. */
export function makeDebuglog(format: (...args: unknown[]) => string) {
  return (section: string) => {
    const name = String(section).toUpperCase();
    const sections = String(process.env.NODE_DEBUG ?? '')
      .toUpperCase()
      .split(',');
    const enabled = sections.some((one) => one === name || (one.includes('*') && isLike(name, one)));
    // biome-ignore lint/suspicious/noConsole: it is the bot's own log
    const debug = (...args: unknown[]) => enabled && console.error(`${name} ${process.pid}: ${format(...args)}`);
    return Object.assign(debug, { enabled });
  };
}

function isLike(name: string, pattern: string): boolean {
  return name.startsWith(pattern.slice(0, pattern.indexOf('*')));
}

export function checkFunction(value: unknown, name: string): void {
  if (typeof value !== 'function')
    throw wrongType(`The "${name}" argument must be of type function. Received ${received(value)}`);
}

export function wrongType(message: string): Error {
  return Object.assign(new TypeError(message), { code: 'ERR_INVALID_ARG_TYPE' });
}

/** As Node's errors say it. */
export function received(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (typeof value === 'function') return `function ${value.name}`;
  if (typeof value === 'object') return `an instance of ${value.constructor?.name ?? 'Object'}`;
  const text =
    typeof value === 'string' ? `'${value.length > 28 ? `${value.slice(0, 25)}...` : value}'` : String(value);
  return `type ${typeof value} (${text}${typeof value === 'bigint' ? 'n' : ''})`;
}
