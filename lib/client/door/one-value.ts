/** A parameter of a page, or undefined when it is not there or stands there more than once. */
export function oneValue(given: string | string[] | undefined): string | undefined {
  return typeof given === 'string' ? given : undefined;
}
