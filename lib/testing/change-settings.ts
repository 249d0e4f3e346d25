import { type Env, env } from '#lib/base/env.ts';

/** Other settings for a while; returns what brings the old ones back (`afterAll`, `onTestFinished`). The program asks for each when it needs it. */
export function changeSettings(changes: Partial<Env>): () => void {
  const settings = env();
  const before = Object.fromEntries(Object.keys(changes).map((name) => [name, settings[name as keyof Env]]));
  Object.assign(settings, changes);
  return () => void Object.assign(settings, before);
}
