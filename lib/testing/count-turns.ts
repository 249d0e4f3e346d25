/** Follows how often others in this process have their turn, until it is told to stop; then says so. */
export function countTurns(): () => number {
  let turns = 0;
  let isOver = false;
  const count = () => {
    turns += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  return () => {
    isOver = true;
    return turns;
  };
}
