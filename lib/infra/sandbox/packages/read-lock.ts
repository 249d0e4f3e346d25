import { type FileTree, toJson } from './file-tree.ts';

const LOCK = 'package-lock.json';
/** Of others than npm: what they say would be passed over. */
const OTHERS = ['npm-shrinkwrap.json', 'yarn.lock', 'pnpm-lock.yaml', 'bun.lock'];

/** `versions`: of packages, by their folder. `wrong`: files that are not as the lock has them, and why. */
export type Lock = { versions: ReadonlyMap<string, string>; wrong: { file: string; text: string }[] };

/** What the lock file says. It is held against what came along: nothing is fetched by it. Throws WrongPackage. */
export function readLock(tree: FileTree): Lock {
  const foreign = OTHERS.filter((file) => tree.read(file) !== undefined);
  const wrong = foreign.map((file) => ({ file, text: `Of lock files ${LOCK} alone is understood` }));
  const text = tree.read(LOCK);
  if (text === undefined) return { versions: new Map(), wrong };
  const { packages } = (toJson(text) ?? {}) as { packages?: unknown };
  if (typeof packages !== 'object' || packages === null)
    return { versions: new Map(), wrong: [...wrong, { file: LOCK, text: 'This is no lock file of npm 7 or later' }] };
  const versions = new Map<string, string>();
  for (const [folder, one] of Object.entries(packages)) {
    const version = (one as { version?: unknown } | null)?.version;
    if (folder === '' || typeof version !== 'string') continue;
    versions.set(folder, version);
    const here = tree.packageIn(folder)?.version;
    if (here === undefined || here === version) continue;
    wrong.push({ file: `${folder}/package.json`, text: `This is version ${here}, and ${LOCK} has ${version}` });
  }
  return { versions, wrong };
}
