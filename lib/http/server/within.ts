/** Rejects when `answer` takes longer; what asks for it goes on. */
export async function within<T>(ms: number, answer: Promise<T>): Promise<T> {
  const timer = Promise.withResolvers<never>();
  const timeout = setTimeout(() => timer.reject(new Error(`No answer in ${ms} ms`)), ms);
  try {
    return await Promise.race([answer, timer.promise]);
  } finally {
    clearTimeout(timeout);
  }
}
