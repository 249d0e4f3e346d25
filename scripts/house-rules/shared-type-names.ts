import type { Source } from './source.ts';

/** One answer has one type, in lib/protocol/answers: two that are called the same drift apart. */
export function sharedTypeNames(sources: readonly Source[]): string[] {
  const [ofClient, ofDomain] = [typesBelow(sources, 'lib/client/'), typesBelow(sources, 'lib/domain/')];
  return [...ofClient]
    .filter(([name]) => ofDomain.has(name))
    .map(
      ([name, path]) =>
        `${path} and ${ofDomain.get(name)} both export the type ${name}: what travels belongs in lib/protocol/answers, else it needs a name of its own`,
    );
}

function typesBelow(sources: readonly Source[], folder: string): Map<string, string> {
  const inFolder = sources.filter(({ path }) => path.startsWith(folder));
  return new Map(
    inFolder.flatMap(({ path, text }) =>
      [...text.matchAll(/^export (?:type|interface) (\w+)/gm)].map((match): [string, string] => [match[1]!, path]),
    ),
  );
}
