import type { RouteHandler } from '../../door/api-route.ts';

export type FoundRoute = {
  handlers: Record<string, RouteHandler>;
  params: Record<string, string | string[] | undefined>;
};

/** By a path as the request line has it. */
export type FindRoute = (path: string) => FoundRoute | undefined;
