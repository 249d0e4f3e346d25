import { structuredClone } from '../clone.ts';
import { nameClasses, shows } from '../name-classes.ts';

type Options = { startTime?: number; detail?: unknown };
type MeasureOptions = { start?: string | number; end?: string | number; duration?: number; detail?: unknown };

class PerformanceEntry {
  readonly name: string;
  readonly entryType: string;
  readonly startTime: number;
  readonly duration: number;
  readonly detail: unknown;

  constructor(name: string, entryType: string, startTime: number, duration: number, detail: unknown = null) {
    this.name = name;
    this.entryType = entryType;
    this.startTime = startTime;
    this.duration = duration;
    this.detail = structuredClone(detail);
  }

  toJSON(): object {
    const { name, entryType, startTime, duration, detail } = this;
    return { name, entryType, startTime, duration, detail };
  }
}

class PerformanceMark extends PerformanceEntry {}
class PerformanceMeasure extends PerformanceEntry {}

nameClasses({ PerformanceMark, PerformanceMeasure });
for (const Class of [PerformanceMark, PerformanceMeasure]) shows(Class, 'name entryType startTime duration detail');

export type Marks = ReturnType<typeof createMarks>;

/** https://w3c.github.io/user-timing/ */
export function createMarks(now: () => number) {
  let entries: PerformanceEntry[] = [];
  const add = <T extends PerformanceEntry>(entry: T): T => {
    entries.push(entry);
    return entry;
  };
  const clear = (type: string, name?: string) => {
    entries = entries.filter((entry) => entry.entryType !== type || (name !== undefined && entry.name !== name));
  };
  const at = (time: string | number): number => {
    if (typeof time === 'number') return time;
    const mark = entries.findLast(({ entryType, name }) => entryType === 'mark' && name === time);
    if (!mark) throw new globalThis.DOMException(`The "${time}" performance mark has not been set`, 'SyntaxError');
    return mark.startTime;
  };
  return {
    mark: (name: string, { startTime = now(), detail }: Options = {}) =>
      add(new PerformanceMark(String(name), 'mark', startTime, 0, detail)),
    measure(name: string, from?: string | MeasureOptions, to?: string) {
      const given: MeasureOptions = typeof from === 'object' ? from : { start: from, end: to };
      const { detail, duration } = given;
      const end =
        given.end !== undefined ? at(given.end) : duration === undefined ? now() : at(given.start ?? 0) + duration;
      const start = given.start !== undefined ? at(given.start) : duration === undefined ? 0 : end - duration;
      return add(new PerformanceMeasure(String(name), 'measure', start, end - start, detail));
    },
    clearMarks: (name?: string) => clear('mark', name),
    clearMeasures: (name?: string) => clear('measure', name),
    getEntries: () => entries.toSorted((a, b) => a.startTime - b.startTime),
    getEntriesByName: (name: string, type?: string) =>
      entries.filter((entry) => entry.name === name && (type === undefined || entry.entryType === type)),
    getEntriesByType: (type: string) => entries.filter(({ entryType }) => entryType === type),
  };
}
