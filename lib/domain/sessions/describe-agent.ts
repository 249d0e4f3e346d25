/** What a User-Agent header says of browser and system: enough to tell one's sessions apart. */
export function describeAgent(agent: string | null): { browser?: string; os?: string } {
  const text = agent ?? '';
  const browser = /Edg\//.test(text) ? 'Edge' : (/(Firefox|Chrome|Safari)\//.exec(text)?.[1] ?? undefined);
  const os = /(Windows|Android|iPhone|iPad|Mac OS X|Linux)/.exec(text)?.[1];
  return { browser, os };
}
