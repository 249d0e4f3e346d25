/** From one slot to the next: what is read back is at most 5 % off, or a millisecond. Finer slots make more of a row than the figure is worth. */
const STEP = 1.1;

/** In SQL: the slot that a length in milliseconds (an integer column) is counted in. The migration that makes bot_hour has the same by hand. */
export function toSlot(column: string): string {
  return `round(ln(greatest(${column}, 0)::float8 + 1) / ${Math.log(STEP)})::smallint`;
}

/** The length in the middle of a slot. */
export function toMs(slot: number): number {
  return Math.round(STEP ** slot - 1);
}
