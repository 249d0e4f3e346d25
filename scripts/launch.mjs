// Plain JavaScript without dependencies: the one file that an older Node, in a bare clone, must be able to run.
// It sees to Node 24 and to node_modules, then hands over to the .ts file of the command.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { installWhenStale } from './install.mjs';
import { progress, Refusal, refuse } from './progress.mjs';

const COMMANDS = [
  'start',
  'worker',
  'dev',
  'test',
  'soak',
  'long',
  'faults',
  'cluster',
  'upgrade',
  'check',
  'bench',
  'reindex',
  'corpus',
  'simulate-placement',
  'verify-audit',
  'verify-export',
];
/** Where the files of commands are that do not stand beside this one. @type {Record<string, string>} */
const ROOMS = { worker: 'supervise/', long: 'test/' };
const NODE_MAJOR = 24;
const ROOT = dirname(import.meta.dirname ?? dirname(new URL(import.meta.url).pathname));
const NODE_CACHE = join(ROOT, 'node_modules/.cache/gatehouse/node-24');

try {
  await main(process.argv[2] ?? '', process.argv.slice(3));
} catch (error) {
  if (!(error instanceof Refusal)) throw error;
  console.error(`\n✗ ${error.message}`);
  process.exitCode = error.exitCode;
}

/** @param {string} command @param {string[]} args */
async function main(command, args) {
  if (!COMMANDS.includes(command)) refuse(`Usage: node scripts/launch.mjs ${COMMANDS.join(' | ')}`);
  process.chdir(ROOT);
  endWithNpm();
  // Prebuilt parts (isolated-vm) fit exactly one Node line, so a newer one is replaced as well.
  if (Number(process.versions.node.split('.')[0]) !== NODE_MAJOR) return runUnderNode24();
  await installWhenStale(ROOT);
  rememberNode();
  const room = ROOMS[command] ?? (command.startsWith('verify-') ? 'verify/' : '');
  const { run } = await import(`./${room}${command}.ts`);
  await run(args);
}

async function runUnderNode24() {
  const node =
    rememberedNode() ?? (await progress(`Node ${NODE_MAJOR} from npm (this is ${process.version})`, fetchNode));
  const child = spawn(node, [import.meta.filename ?? new URL(import.meta.url).pathname, ...process.argv.slice(2)], {
    // The channel tells the child when this process is killed.
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, PATH: `${dirname(node)}:${process.env.PATH}`, GATEHOUSE_NODE: node },
  });
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']))
    process.on(signal, () => child.kill(signal));
  const [code, signal] = await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (...end) => resolve(end));
  });
  process.exitCode = code ?? (signal === 'SIGINT' ? 130 : 1);
}

/** npm that is killed leaves its children running; then we end as well, and the port is free for the next start. */
function endWithNpm() {
  const npm = process.env.npm_lifecycle_event && !process.env.GATEHOUSE_NODE ? findNpm(process.ppid) : undefined;
  if (!npm) return;
  const watch = setInterval(() => {
    if (existsSync(`/proc/${npm}`)) return;
    clearInterval(watch);
    process.kill(process.pid, 'SIGTERM');
  }, 500);
  watch.unref();
}

/** @param {number} pid @returns {number | undefined} */
function findNpm(pid, depth = 0) {
  try {
    if (/(^|\/)npm/.test(readFileSync(`/proc/${pid}/cmdline`, 'utf8'))) return pid;
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return depth < 2 ? findNpm(Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]), depth + 1) : undefined;
  } catch {
    // No /proc here: not Linux.
    return undefined;
  }
}

function rememberedNode() {
  const path = existsSync(NODE_CACHE) ? readFileSync(NODE_CACHE, 'utf8').trim() : '';
  return path && existsSync(path) ? path : undefined;
}

function rememberNode() {
  const path = process.env.GATEHOUSE_NODE;
  if (!path || rememberedNode() === path) return;
  mkdirSync(dirname(NODE_CACHE), { recursive: true });
  writeFileSync(NODE_CACHE, path);
}

async function fetchNode() {
  const found = spawnSync('npx', ['-y', '-p', `node@${NODE_MAJOR}`, 'node', '-p', 'process.execPath'], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    cwd: '/',
  });
  const path = found.stdout?.trim().split('\n').pop() ?? '';
  if (found.status === 0 && existsSync(path)) return path;
  return refuse(
    `Node ${NODE_MAJOR} could not be fetched from npm. Install Node ${NODE_MAJOR} and try again.\n${found.stderr ?? found.error}`,
  );
}
