import Bowser from 'bowser';

/** Names that the parser knows. Where it knows none it takes a header at its word, which is the caller's own text. */
const BROWSERS = new Set(Object.values(Bowser.BROWSER_MAP));
const SYSTEMS = new Set(Object.values(Bowser.OS_MAP));

/** What a User-Agent header says of browser and system: enough to tell one's sessions apart. Undefined for what is no browser that is known. */
export function describeAgent(agent: string | null): { browser?: string; os?: string } {
  if (!agent) return {};
  const { browser, os } = Bowser.parse(agent);
  return { browser: oneOf(BROWSERS, browser.name), os: oneOf(SYSTEMS, os.name) };
}

function oneOf(known: ReadonlySet<string>, name: string | undefined): string | undefined {
  return name !== undefined && known.has(name) ? name : undefined;
}

/** "Chrome on macOS"; '' for a program that does not say what it is. */
export function nameAgent(agent: string | null): string {
  const { browser, os } = describeAgent(agent);
  return [browser, os].filter(Boolean).join(' on ');
}
