import type TypeScript from '@typescript/typescript6';

/**
 * The compiler: TypeScript's last in JavaScript. It comes with the declarations and not with our scripts, which bundlers would read and
 * shrink for minutes.
 */
export let ts: typeof TypeScript;

export function bringTypeScript(brought: typeof TypeScript): void {
  ts = brought;
}
