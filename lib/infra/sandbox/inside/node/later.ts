/** As Node's callbacks have it. */
export type Done<T> = (error: unknown, value?: T) => void;

export function later<T>(work: () => T, done: Done<T>): void {
  queueMicrotask(() => {
    let value: T;
    try {
      value = work();
    } catch (error) {
      return done(error);
    }
    done(null, value);
  });
}
