import { apiRoute, type RouteDefinition, type RouteHandler } from './api-route.ts';
import { requireAcceptable } from './fhir-negotiation.ts';
import { readJson } from './read-body.ts';

/** A route that answers FHIR: 406 before anything is done for a caller who could not read the answer. */
export function fhirRoute<B = undefined>(route: RouteDefinition<B>): RouteHandler {
  return apiRoute<B>({
    ...route,
    run: (ctx, input) => {
      requireAcceptable(input.request, input.url);
      return route.run(ctx, input);
    },
  });
}

/** The body of a create or an update, checked by the verb. */
export function resourceBody(request: Request): Promise<unknown> {
  return readJson(request);
}
