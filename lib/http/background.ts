/** Starts what runs beside the requests. Resolves to the function that stops it. */
export async function startBackground(): Promise<() => Promise<void>> {
  return async () => undefined;
}
