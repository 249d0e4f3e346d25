import { isShipped, type Source } from './source.ts';

/** Needed, and imported by what we import. */
const BY_OTHERS: Record<string, string> = { 'react-dom': 'Next renders with it' };

/** A package that ARCHITECTURE.md says we stand on is imported somewhere (a test holds that it names those of package.json). */
export function unusedDependencies(packageJson: string): (sources: readonly Source[]) => string[] {
  const names = Object.keys(JSON.parse(packageJson).dependencies);
  return (sources) => {
    const imported = new Set(sources.filter(isShipped).flatMap(packagesOf));
    return names
      .filter((name) => !imported.has(name) && !BY_OTHERS[name])
      .map((name) => `${name} is a dependency that nothing imports: drop it from package.json and ARCHITECTURE.md`);
  };
}

/** Also what a stylesheet imports, and the plugins that postcss.config.mjs names. */
function packagesOf({ text }: Source): string[] {
  const specifiers = text.matchAll(/(?:\bfrom|\bimport|\bimport\(|\bresolve\(|[{,])\s*['"]([^'"./#\n][^'"\n]*)['"]/g);
  return [...specifiers].map((match) => /^(@[^/]+\/)?[^/]+/.exec(match[1]!)![0]);
}
