// Beside progress.mjs, which must be plain JavaScript for the launcher's sake.
export class Refusal extends Error {
  exitCode: number;
}
export class WrongSetting extends Refusal {}
export function refuse(message: string): never;
export function progress<T>(name: string, work: () => Promise<T>): Promise<T>;
