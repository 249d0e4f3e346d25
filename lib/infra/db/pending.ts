/** A statement that the driver sends when somebody waits for it; Drizzle may want its rows as arrays. */
export type Pending = PromiseLike<unknown> & { values(): PromiseLike<unknown> };

export type Shape = (sent: Pending) => PromiseLike<unknown>;

/** What `ask` resolves to once somebody waits, in the shape that they wait for. */
export function pendingOf(ask: (shape: Shape) => Promise<unknown>): Pending {
  const awaiting = (shape: Shape): PromiseLike<unknown> => ({
    // biome-ignore lint/suspicious/noThenProperty: as the driver's own, nothing is sent before somebody waits.
    then: (done, failed) => ask(shape).then(done, failed),
  });
  return Object.assign(
    awaiting((sent) => sent),
    { values: () => awaiting((sent) => sent.values()) },
  );
}
