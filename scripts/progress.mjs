/** What the user did or set does not work here: told in one sentence, without a stack. */
export class Refusal extends Error {
  exitCode = 1;
}

/** What is set is wrong: only other settings help (sysexits.h, EX_CONFIG; lib/base/wrong-settings.ts). */
export class WrongSetting extends Refusal {
  exitCode = 78;
}

/** @param {string} message @returns {never} */
export function refuse(message) {
  throw new Refusal(message);
}

/**
 * One step, with a line when it is done and how long it took.
 * @template T @param {string} name @param {() => Promise<T>} work @returns {Promise<T>}
 */
export async function progress(name, work) {
  const started = performance.now();
  const live = process.stdout.isTTY;
  process.stdout.write(`… ${name}${live ? '' : '\n'}`);
  const end = (/** @type {string} */ mark) => {
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    process.stdout.write(`${live ? '\r\x1b[K' : ''}${mark} ${name}  ${seconds} s\n`);
  };
  try {
    const result = await work();
    end('✓');
    return result;
  } catch (error) {
    end('✗');
    throw error;
  }
}
