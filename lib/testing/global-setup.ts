import type { TestProject } from 'vitest/node';
import { startTestServer, type TestServer } from './database.ts';

declare module 'vitest' {
  // biome-ignore lint/style/useConsistentTypeDefinitions: only an interface can be added to.
  export interface ProvidedContext {
    templateUrl: string;
  }
}

let server: Promise<TestServer> | undefined;
let users = 0;

/** Vitest calls this once for every project with a database; they share one server. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  users += 1;
  server ??= startTestServer();
  const { templateUrl, stop } = await server;
  project.provide('templateUrl', templateUrl);
  return async () => {
    users -= 1;
    if (users === 0) await stop();
  };
}
