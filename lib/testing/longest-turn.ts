/**
 * Follows this process until it is told to stop, and then says for how long others waited at most: milliseconds of processor time of its thread between two
 * looks, which a busy machine does not make more.
 */
export function watchTurns(): () => number {
  let last = spent();
  let longest = 0;
  const timer = setInterval(look, 5);
  return () => {
    clearInterval(timer);
    look();
    return longest;
  };

  function look(): void {
    const now = spent();
    longest = Math.max(longest, now - last);
    last = now;
  }
}

function spent(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
