/** How a process ends for them (sysexits.h: EX_CONFIG). */
export const WRONG_SETTINGS_EXIT = 78;

/** What only other settings heal: a start that fails for it need not be tried again. Each line names the setting and the reason. */
export class WrongSettings extends Error {
  constructor(...lines: string[]) {
    super(`Wrong settings:\n${lines.map((line) => `  ${line}`).join('\n')}`);
  }
}
