'use client';
const FORMAT = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

/** What is still to come, to the minute: "in 2 days" would not say when. Only where the data comes after the page. */
export function Moment({ at }: { at: string }) {
  return <time dateTime={at}>{FORMAT.format(new Date(at))}</time>;
}
