import { CronExpressionParser } from 'cron-parser';
import { instantsOf, offsetAt } from './clock.ts';

const DAY = 86_400_000;
/** Of all changes of clocks. */
const LONGEST = 3 * 3_600_000;

/**
 * The times of an expression after an instant, each once, one after the other: at least all until `until`. The parser counts on a clock that is never changed: over
 * changes it loses its way in some zones. What is of each hour goes on through a change; every other time comes once, also where its clock
 * shows it twice, or not at all: then it is by so much later.
 */
export function* timesOf(
  expression: string,
  zone: string,
  after: number,
  until?: number,
): Generator<number, undefined> {
  const offset = Math.min(...[-LONGEST, 0, LONGEST].map((by) => offsetAt(zone, after + by)));
  const endDate = until === undefined ? undefined : new Date(until + DAY);
  const shown = CronExpressionParser.parse(expression, { currentDate: new Date(after + offset), tz: 'UTC', endDate });
  const isOfEachHour = shown.fields.hour.values.length === 24;
  let last = after;
  for (const time of inOrder()) {
    if (time > last) yield time;
    last = Math.max(last, time);
  }

  /** What comes late or again comes between others. */
  function* inOrder(): Generator<number, undefined> {
    let held: number[] = [];
    for (const time of shown) {
      const { at, again, late } = instantsOf(zone, time.getTime());
      const other = isOfEachHour ? again : late;
      if (at !== undefined) {
        yield* held.filter((one) => one < at);
        held = held.filter((one) => one >= at);
        yield at;
      }
      if (other !== undefined) held.push(other);
    }
    yield* held;
  }
}
