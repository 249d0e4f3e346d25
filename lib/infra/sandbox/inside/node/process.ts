import { createProcess } from './own-process.ts';

/** For packages that import it by its name, and each thing of it by that one's. */
export const {
  addListener,
  arch,
  argv,
  browser,
  cwd,
  emitWarning,
  env,
  execArgv,
  hrtime,
  nextTick,
  off,
  on,
  once,
  pid,
  platform,
  title,
  uptime,
  version,
  versions,
} = createProcess();
