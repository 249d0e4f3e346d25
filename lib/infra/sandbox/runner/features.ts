import { setFlagsFromString } from 'node:v8';

/**
 * What V8 (13.6) puts into each context anew, since no snapshot of it has them: an eighth of what a run costs. They are left out of contexts for code that
 * names none of them. Flags hold for the process; contexts are made one after the other.
 */
const FEATURES = {
  'js-explicit-resource-management': /[dD]ispos|SuppressedError/,
  'js-float16array': /[fF]loat16|f16round/,
  'js-regexp-escape': /\bescape\b/,
  'js-error-iserror': /\bisError\b/,
  'js-promise-try': /\.\s*try\b|['"`]try['"`]|\btry\s*[,:}]/,
};
/** Of what no bot has (inside/globals.ts): Atomics, and two parts of WebAssembly, which are a fifteenth of a context. */
const NEVER = ['js-atomics-pause', 'experimental-wasm-jspi', 'js-source-phase-imports'];
/**
 * This one is a word only with its flag, and functions are compiled when they are first called, in any thread: from then on it stays. Who compiles texts may have
 * any in them.
 */
const USING = /\busing\b|\beval\b|\bFunction\s*\(/;

let isWord = false;
let areOn = true;

/** Whether the code may use one of them. */
export function namesFeature(code: string): boolean {
  return USING.test(code) || Object.values(FEATURES).some((name) => name.test(code));
}

/** To be called before any of it is compiled. */
export function allowUsing(code: string): void {
  isWord ||= USING.test(code);
  if (isWord) set('js-explicit-resource-management', true);
}

/** For the contexts that are made from now on. */
export function haveFeatures(isWanted: boolean): void {
  if (isWanted === areOn) return;
  areOn = isWanted;
  for (const flag of NEVER) set(flag, false);
  for (const flag of Object.keys(FEATURES))
    set(flag, isWanted || (isWord && flag === 'js-explicit-resource-management'));
}

function set(flag: string, isOn: boolean): void {
  setFlagsFromString(isOn ? `--${flag}` : `--no-${flag}`);
}
