/** https://webidl.spec.whatwg.org/#dfn-error-names-table: the names that had a number. */
const CODES: Record<string, number> = {
  IndexSizeError: 1,
  HierarchyRequestError: 3,
  WrongDocumentError: 4,
  InvalidCharacterError: 5,
  NoModificationAllowedError: 7,
  NotFoundError: 8,
  NotSupportedError: 9,
  InUseAttributeError: 10,
  InvalidStateError: 11,
  SyntaxError: 12,
  InvalidModificationError: 13,
  NamespaceError: 14,
  InvalidAccessError: 15,
  SecurityError: 18,
  NetworkError: 19,
  AbortError: 20,
  URLMismatchError: 21,
  QuotaExceededError: 22,
  TimeoutError: 23,
  InvalidNodeTypeError: 24,
  DataCloneError: 25,
};

export class DOMException extends Error {
  constructor(message = '', options: string | { name?: string; cause?: unknown } = 'Error') {
    const { name = 'Error', cause } = typeof options === 'object' ? options : { name: options };
    super(message, cause === undefined ? undefined : { cause });
    Object.defineProperty(this, 'name', { value: String(name), configurable: true });
  }

  get code(): number {
    return CODES[this.name] ?? 0;
  }

  get [Symbol.toStringTag](): string {
    return 'DOMException';
  }
}
