/** `line` and `column` count from 1. */
export type BundleError = { text: string; file: string; line: number; column: number };
export type BundleResult = { ok: true; code: string; sourceMap: string } | { ok: false; errors: BundleError[] };
