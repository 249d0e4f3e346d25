import stringDecoder from 'string_decoder/';

const { prototype } = stringDecoder.StringDecoder;
const { write, end } = prototype;

// As Node's: a text is one already, and what has ended begins anew.
prototype.write = function (this: object, piece: string | Uint8Array) {
  return typeof piece === 'string' ? piece : write.call(this as never, piece as never);
} as never;
prototype.end = function (this: { write(piece: unknown): string }, piece?: string | Uint8Array) {
  const text = (piece === undefined ? '' : this.write(piece)) + end.call(this as never);
  Object.assign(this, { lastNeed: 0, lastTotal: 0 });
  return text;
} as never;

export { stringDecoder };
